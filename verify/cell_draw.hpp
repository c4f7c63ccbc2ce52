#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/head.hpp"
#include "sim/random.hpp"
#include "verify/cell.hpp"
#include "verify/cell_points.hpp"

namespace headroom::verify {

/// The heads of a cell, trial by trial: one query that sees all L tokens. A trial has its own random stream, keyed
/// (seed, hash of the cell, trial), so it can be drawn again by itself. Scratch memory of one thread.
class CellDraw {
 public:
  explicit CellDraw(const Cell& cell);

  /// Draws the logits of a trial, and its weights from them.
  void weights(std::uint64_t seed, std::uint64_t trial);

  /// Draws the vectors of the same trial. Not for the sampler `projected`, which never has them.
  void vectors();

  /// For independent uniform vectors: draws them without writing them out, and sums c = Σ α_j x_j on the way. A later
  /// vectors() gives the same ones. `alpha` is padded with zeros to the points' padded().
  const CellPoints& points(const double* alpha, std::span<double> c);

  /// What was drawn: weights and logits (1 × L), vectors (L × d, unit length; empty before the first vectors()).
  [[nodiscard]] HeadView head() const;

 private:
  const Cell& cell_;
  Visibility visibility_;
  std::optional<sim::Stream> stream_;
  std::optional<CellPoints> points_;
  bool points_drawn_ = false;
  bool plain_softmax_;
  std::vector<double> logits_, weights_, vectors_;
};

}  // namespace headroom::verify
