#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verify/claims/parameters.hpp"
#include "verify/claims/point_input.hpp"
#include "verify/statistics/extrapolation.hpp"
#include "verify/statistics/moments.hpp"

namespace headroom::verify {

/// One null hypothesis of the run, "what is claimed is true", and how well its test could have told.
struct Hypothesis {
  std::string name;
  double p_value = 1.0;
  /// Power to catch a violation of the size the preset asks for; nothing where no power is required of it.
  std::optional<double> power;
};

/// Three quantiles of observed/bound (bound/observed where the bound is a lower one); 1 is an attained bound.
struct Tightness {
  double q50 = 0.0;
  double q95 = 0.0;
  double max = 0.0;
};

/// A mean that was tested against another: the observed, its bound, and what of the observed is in excess.
struct TestedMean {
  Hypothesis hypothesis;
  Moments observed;
  Moments bound;
  Moments excess;        ///< trial by trial: observed − bound for an upper bound, bound − observed for a lower one
  bool trivial = false;  ///< the bound said nothing in any trial
};

/// Everything about one cell; a line of cells.jsonl.
struct CellRecord {
  std::string claim;
  Parameters parameters;
  std::uint64_t trials = 0;
  std::vector<TestedMean> tests;                          ///< expectation claims
  std::optional<std::uint64_t> violations;                ///< pointwise claims
  std::optional<Tightness> tightness;                     ///< where something is bounded
  std::vector<std::pair<std::string, Moments>> measured;  ///< what is reported beside
};

/// An extrapolation over the cells of a claim.
struct FitRecord {
  Parameters parameters;
  Hypothesis hypothesis;
  std::string quantity;  ///< limit or exponent, and of what
  double estimate = 0.0;
  Interval interval{};  ///< at 95 %
  std::optional<double> stated;
};

/// Where the claim came closest to failing, or failed most.
struct WorstCase {
  Parameters parameters;
  std::string test;
  double observed = 0.0;
  double bound = 0.0;
};

/// What run() found. Whether it amounts to `holds` is decided by decide(), which sees every hypothesis of the run.
struct ClaimResult {
  std::string id;
  std::uint64_t trials = 0;
  std::optional<std::uint64_t> violations;  ///< pointwise: confirmed in at least 100 bits, a few per block of inputs
  std::uint64_t rechecked = 0;              ///< pointwise: would-be violations that were evaluated again
  bool trivial = false;                     ///< implied by the trivial bound in every cell tested
  std::optional<Tightness> tightness;
  std::optional<WorstCase> worst;
  std::optional<PointInput> worst_input;  ///< pointwise: the input that `worst` is about
  std::vector<Hypothesis> hypotheses;
  std::vector<std::size_t> hypothesis_cell;  ///< of each, the cell among `cells`; no_cell for fits
  std::vector<CellRecord> cells;
  std::vector<FitRecord> fits;
  std::vector<std::pair<std::string, double>> measured;
  std::optional<PointInput> counterexample;  ///< pointwise: the smallest confirmed violation

  static constexpr std::size_t no_cell = static_cast<std::size_t>(-1);
};

}  // namespace headroom::verify
