#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "verify/law_fit.hpp"

namespace headroom::verify {

/// The resolution law (theory::ResolutionLaw, unrefined) for means over many rows: weights merged into bins a factor of
/// two wide, each standing for its first two moments, and a fixed rule of 16 points in u, graded towards the point
/// where the factors of much smaller weights jump. Between points the logarithm of −log Π F_d is taken as linear, which
/// a product of many factors near 1 is up to its curvature.
///
/// Absolute error against the law: at most 0.1 for a row, 0.005 for a mean over the rows of a head. Costs a tenth of
/// the adaptive law. Built once per d and shared: const and safe to call from several threads.
class BinnedLaw {
 public:
  /// Smaller dimensions have too steep an F_d for one polynomial.
  static constexpr std::size_t least_dim = 16;

  /// Requires dim ≥ least_dim.
  explicit BinnedLaw(std::size_t dim);

  /// Scratch memory of one thread.
  struct Workspace {
    std::vector<double> sums, squares, selected_squares;  // of the first k weights; the last without the largest
    std::vector<std::size_t> ends;                        // of the bins
    LawNodes rest;
  };

  /// N_s/N of one row for several N. @param decreasing weights ≥ 0 in decreasing order; they need not sum to 1
  /// @param tops ascending, each with 1 ≤ N < L   @param out one value per N
  void separable(std::span<const double> decreasing, std::span<const std::size_t> tops, Workspace& workspace,
                 std::span<double> out) const;

 private:
  [[nodiscard]] double separable_at(std::size_t top, Workspace& workspace, std::span<const double> decreasing) const;

  LawFit fit_;
  std::vector<double> edges_;  // of the bins, relative to the largest weight
};

}  // namespace headroom::verify
