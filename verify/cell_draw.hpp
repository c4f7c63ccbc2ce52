#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/head.hpp"
#include "sim/random.hpp"
#include "verify/cell.hpp"

namespace headroom::verify {

/// The heads of a cell, trial by trial: one query that sees all L tokens. A trial has its own random stream, keyed
/// (seed, hash of the cell, trial), so it can be drawn again by itself. Scratch memory of one thread.
class CellDraw {
 public:
  explicit CellDraw(const Cell& cell);

  /// Draws the logits of a trial, and its weights from them.
  void weights(std::uint64_t seed, std::uint64_t trial);

  /// Draws the vectors of the same trial, once.
  void vectors();

  /// What was drawn: weights and logits (1 × L), vectors (L × d, unit length; empty before the first vectors()).
  [[nodiscard]] HeadView head() const;

  /// The stream of the trial, behind what has been drawn.
  [[nodiscard]] sim::Stream& stream() { return *stream_; }

 private:
  const Cell& cell_;
  Visibility visibility_;
  std::optional<sim::Stream> stream_;
  std::vector<double> logits_, weights_, vectors_;
};

}  // namespace headroom::verify
