#pragma once

#include <cstdint>

#include "verify/statistics/moments.hpp"

namespace headroom::verify {

struct Interval {
  double lower;
  double upper;
  /// Ends included.
  [[nodiscard]] bool contains(double value) const { return lower <= value && value <= upper; }
};

/// Two-sided Clopper–Pearson interval for the probability of success: each tail has at most (1 − confidence)/2, so the
/// coverage is at least `confidence` at every probability (Biometrika 26, 1934). Quantiles of the beta law:
/// lower = B(a; x, n−x+1) with a = (1−confidence)/2, 0 when x = 0; upper = B(1−a; x+1, n−x), 1 when x = n.
/// Requires 0 ≤ successes ≤ trials, trials ≥ 1, 0 < confidence < 1, else Error (usage).
[[nodiscard]] Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials, double confidence);

/// One-sided upper limit: the largest probability p with P(X ≤ successes | p) ≥ 1 − confidence. With no success it is
/// 1 − (1−confidence)^{1/n}, about 3/n at 0.95. Same domain and errors.
[[nodiscard]] double clopper_pearson_upper(std::uint64_t successes, std::uint64_t trials, double confidence);

/// Student t quantile: the t with P(T ≤ t) = probability, for `degrees_of_freedom` > 0; both checked, Error (usage).
[[nodiscard]] double student_quantile(double probability, double degrees_of_freedom);

/// Student t interval for the mean, mean ± t_{(1+confidence)/2, n−1}·standard error. With fewer than two values it is
/// the whole line. Exact for normal values, otherwise to the accuracy of the central limit theorem.
[[nodiscard]] Interval mean_interval(const Moments& moments, double confidence);

}  // namespace headroom::verify
