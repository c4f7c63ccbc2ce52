#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>

namespace headroom::sim::test {

/// P(√n·D > x) in the limit (Kolmogorov 1933), with Stephens' correction for finite n: an asymptotic p-value.
inline double kolmogorov_p(double statistic, double n) {
  const double x = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * statistic;
  if (x < 0.2) return 1.0;
  double sum = 0;
  for (int k = 1; k <= 100; ++k) sum += (k % 2 != 0 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  return std::clamp(sum, 0.0, 1.0);
}

/// One sample against a continuous distribution function.
inline double ks_p(std::vector<double> sample, const std::function<double(double)>& cdf) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double worst = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double f = cdf(sample[i]);
    worst = std::max({worst, (static_cast<double>(i) + 1) / n - f, f - static_cast<double>(i) / n});
  }
  return kolmogorov_p(worst, n);
}

/// Two samples.
inline double ks_p(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  double worst = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double x = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= x) ++i;
    while (j < b.size() && b[j] <= x) ++j;
    worst = std::max(worst, std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  return kolmogorov_p(worst, n * m / (n + m));
}

/// Pearson's χ² of counts against equal expectation: an asymptotic p-value.
inline double chi_square_p(std::span<const std::size_t> counts) {
  double total = 0;
  for (const std::size_t c : counts) total += static_cast<double>(c);
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const std::size_t c : counts)
    sum += (static_cast<double>(c) - expected) * (static_cast<double>(c) - expected) / expected;
  return boost::math::gamma_q((static_cast<double>(counts.size()) - 1) / 2, sum / 2);
}

}  // namespace headroom::sim::test
