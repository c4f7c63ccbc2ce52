#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace headroom::verify {

/// How a p-value was obtained.
enum class KsMethod { exact, asymptotic };

struct KsResult {
  double statistic;  ///< the largest distance between the two distribution functions, in [0, 1]
  double p_value;    ///< probability under the null hypothesis of a statistic at least as large
  KsMethod method;
};

/// The two-sample test is exact while n·m is at most this (so for any two samples of up to 10,000 values).
inline constexpr std::int64_t ks_two_sample_exact_limit = 100'000'000;

/// The one-sample test is exact for up to this many values.
inline constexpr std::int64_t ks_one_sample_exact_limit = 2'000;

/// Two-sided two-sample Kolmogorov–Smirnov test: do both samples come from one distribution?
///
/// statistic = max_z |F₁(z) − F₂(z)| over the empirical distribution functions. The exact p-value conditions on the
/// pattern of ties in the pooled sample, so it is right for discrete laws too (two_sample_tail). Beyond the limit it is
/// Kolmogorov's limiting law at D·sqrt(nm/(n+m)), which is conservative under ties.
///
/// Both samples must have a value and no NaN, else Error (input); infinities are ordered as usual. O((n+m)·log(n+m))
/// for the statistic and about n·m·D cells for the exact p-value.
[[nodiscard]] KsResult ks_two_sample(std::span<const double> first, std::span<const double> second);

/// Two-sided one-sample Kolmogorov–Smirnov test: does the sample come from the continuous law with distribution
/// function `cdf`, fixed beforehand?
///
/// statistic = max_i max(i/n − F(x_(i)), F(x_(i)) − (i−1)/n). Exact p-value up to the limit (one_sample_tail); beyond
/// it Kolmogorov's limiting law at x + 1/(6√n) + (x−1)/(4n), x = √n·D (Vrbik's correction, Pioneer J. Theor. Appl.
/// Stat. 15, 2018), which errs by O(1/n^{3/2}). Error (input) for an empty sample, a NaN, or a cdf value outside [0,
/// 1].
[[nodiscard]] KsResult ks_one_sample(std::span<const double> sample, const std::function<double(double)>& cdf);

}  // namespace headroom::verify
