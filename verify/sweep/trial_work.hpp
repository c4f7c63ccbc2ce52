#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/random.hpp"
#include "verify/sweep/kind.hpp"

namespace headroom::verify::sweep {

/// What is measured in a cell of independent trials, and how.
struct TrialCell {
  /// Fills a value per quantity, or leaves it empty where the trial has none. Owned by one thread.
  using Trial = std::function<void(sim::Stream&, std::span<std::optional<double>>)>;

  std::string of;                       ///< as in Record
  std::vector<std::string> quantities;  ///< the names of the values
  std::function<Trial()> make_trial;
};

/// The cell of a kind without groups whose trials are drawn one by one: trial t from the stream of the seed, the hash
/// of `of`, and t, so that it is the same whoever draws it and when. Values are added in the order of the trials.
class TrialWork final : public CellWork {
 public:
  /// @param saved as in Kind::begin
  TrialWork(TrialCell cell, std::uint64_t seed, const Record* saved);

  [[nodiscard]] bool run(std::uint64_t trials, const StopRequest& stop) override;
  [[nodiscard]] std::uint64_t trials() const override { return trials_; }
  [[nodiscard]] Record record() const override;
  void drop(std::span<const std::uint64_t>) override {}

 private:
  TrialCell cell_;
  std::uint64_t seed_;
  std::uint64_t key_;
  std::uint64_t trials_ = 0;
  std::vector<Moments> moments_;
};

}  // namespace headroom::verify::sweep
