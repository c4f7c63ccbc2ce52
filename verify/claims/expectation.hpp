#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/random.hpp"
#include "verify/claims/claim.hpp"

namespace headroom::verify {

struct CellFamily;

/// One inequality between means, E observed ≤ E bound (lower: ≥).
struct MeanBound {
  std::string name;
  enum class Side { upper, lower } side = Side::upper;
  /// What rounding or a numerical integral may have added to the excess: absolute, and relative to the bound.
  double rounding = 0.0;
  double relative_rounding = 0.0;
};

/// What one trial contributes to it. The two may come from the same draw, so that their noise cancels.
struct Sample {
  double observed = 0.0;
  double bound = 0.0;
  bool trivial = false;  ///< the bound is one that always holds
};

/// A cell of an expectation claim: fixed parameters, and trials that are independent of each other.
struct MeanCell {
  /// Fills one sample per bound, then one per measured name (its `observed`). Owned by one thread.
  using Trial = std::function<void(sim::Stream&, std::span<Sample>)>;

  Parameters parameters;
  std::vector<MeanBound> bounds;
  std::vector<std::string> measured;  ///< reported beside, not tested
  std::function<Trial()> make_trial;
  std::uint64_t block = 64;  ///< trials per random stream: about a millisecond's worth
  bool drawn = true;         ///< false: every trial gives the same, and two are enough
};

/// Runs blocks of trials until at least `trials` are done and tests every bound of the cell. Depends on neither thread
/// count nor order. `key` is the key of the random stream. Throws Stopped.
[[nodiscard]] CellRecord run_cell(const MeanCell& cell, std::uint64_t trials, std::uint64_t seed, std::uint64_t key,
                                  const std::function<bool()>& stop);

/// A parameter that a search over cells may vary.
struct Axis {
  std::string name;
  double lower;
  double upper;
  bool integer = true;
  bool logarithmic = true;  ///< searched in its logarithm
};

/// What an attack may search: the axes, and the cell at a point of them (values, integers rounded by the search).
struct CellSpace {
  std::vector<Axis> axes;
  std::function<MeanCell(std::span<const double>)> cell;
};

/// The margin of a cell: the largest (mean excess)/(mean bound) over its bounds, and its standard error. Above 0 by
/// several standard errors the claim is refuted there.
struct CellMargin {
  double margin = 0.0;
  double standard_error = 0.0;
};
[[nodiscard]] CellMargin cell_margin(const CellRecord& record);

/// A claim about means. Trials of each cell are chosen by the power formula from the spread of pilot runs on streams of
/// their own, so that the number of trials is independent of the values that are tested.
class ExpectationClaim : public Claim {
 public:
  ExpectationClaim(ClaimText text, std::function<std::vector<MeanCell>(Preset)> grid,
                   std::shared_ptr<const CellFamily> family = nullptr, CellSpace space = {});

  [[nodiscard]] std::vector<MeanCell> grid(Preset preset) const { return grid_(preset); }
  /// No axes: nothing to search.
  [[nodiscard]] const CellSpace& space() const { return space_; }
  /// Cells at other parameters than the grid's; null: none.
  [[nodiscard]] const CellFamily* family() const { return family_.get(); }

  [[nodiscard]] std::size_t hypotheses(Preset preset) const override;
  [[nodiscard]] ClaimResult run(const RunContext& context) const override;

 private:
  std::function<std::vector<MeanCell>(Preset)> grid_;
  std::shared_ptr<const CellFamily> family_;
  CellSpace space_;
};

}  // namespace headroom::verify
