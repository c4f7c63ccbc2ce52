#pragma once

#include <cstdint>
#include <span>

namespace headroom::verify {

/// Count, mean and sum of squared deviations of a stream of values, by Welford's update; nothing is subtracted that is
/// not small, so a large common offset costs no digits (Chan, Golub and LeVeque, Am. Stat. 37, 1983).
///
/// merge() joins two summaries as if their streams had been one. It is associative and commutative but for rounding,
/// so whoever wants the same bytes for any number of threads keeps one summary per block of trials and merges the
/// blocks in increasing order of their index: merge_in_order(). The order is a left fold, not a tree, so that topping a
/// cell up with further blocks continues from the saved state and ends in the bytes of a run done in one go.
///
/// A NaN or infinite value makes the mean non-finite and the squared deviations NaN; nothing is skipped silently.
struct Moments {
  std::uint64_t count = 0;
  double mean = 0.0;                ///< 0 while count = 0
  double squared_deviations = 0.0;  ///< Σ (x − mean)², "M2"

  void add(double value);
  void merge(const Moments& later);

  /// Unbiased, over count − 1; +infinity while count < 2, for then nothing is known about the spread.
  [[nodiscard]] double variance() const;
  [[nodiscard]] double standard_deviation() const;
  /// Standard error of the mean, sqrt(variance/count).
  [[nodiscard]] double standard_error() const;
};

/// The blocks merged from the first to the last; empty ones leave no trace.
[[nodiscard]] Moments merge_in_order(std::span<const Moments> blocks);

}  // namespace headroom::verify
