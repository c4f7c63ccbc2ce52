#include "verify/statistics/ks_tail.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace headroom::verify {
namespace {

/// In extended precision: the logarithm is thousands for samples of thousands.
long double log_factorial(double n) { return boost::math::lgamma(static_cast<long double>(n) + 1.0L); }

/// P(D⁺ ≥ d) = d·Σ_{j=0}^{⌊n(1−d)⌋} C(n, j)·(1−d−j/n)^{n−j}·(d+j/n)^{j−1}, 0 < d < 1.
double one_sided_tail(double n, double d) {
  double sum = 0.0;
  for (double j = 0.0; j < n; ++j) {
    const long double share = static_cast<long double>(j) / n + d;
    if (share >= 1.0L) break;
    const long double log_choose = log_factorial(n) - log_factorial(j) - log_factorial(n - j);
    sum += static_cast<double>(std::exp(log_choose + (n - j) * std::log1p(-share) + (j - 1.0) * std::log(share)));
  }
  return d * sum;
}

/// P(D < d) by Marsaglia, Tsang and Wang: n!/nⁿ times the middle entry of Hⁿ, H of order 2k−1, d = (k−h)/n.
double marsaglia_tsang_wang(double n, double d) {
  const auto k = static_cast<std::size_t>(n * d) + 1;
  const double h = static_cast<double>(k) - n * d;
  const std::size_t order = 2 * k - 1;
  std::vector<double> inverse_factorial(order + 1, 1.0);
  for (std::size_t i = 1; i <= order; ++i) inverse_factorial[i] = inverse_factorial[i - 1] / static_cast<double>(i);

  // H is 1/(i−j+1)! on and below the first superdiagonal, but for its first column and its last row, which mirror
  // each other and meet in the corner.
  std::vector<double> edge(order);
  for (std::size_t i = 0; i < order; ++i) {
    edge[i] = (1.0 - std::pow(h, static_cast<double>(i + 1))) * inverse_factorial[i + 1];
  }
  const double overlap = 2.0 * h > 1.0 ? std::pow(2.0 * h - 1.0, static_cast<double>(order)) : 0.0;
  const double corner = (1.0 - 2.0 * std::pow(h, static_cast<double>(order)) + overlap) * inverse_factorial[order];

  // Hⁿ grows like eⁿ and n!/nⁿ shrinks like e⁻ⁿ: each step takes a factor near 1/e, and what is left is made up for at
  // the end.
  constexpr double scale = 0.375;
  std::vector<double> v(order, 0.0);
  std::vector<double> next(order);
  v[k - 1] = 1.0;
  for (double step = 0.0; step < n; ++step) {
    for (std::size_t i = 0; i < order; ++i) {
      const bool last = i + 1 == order;
      double sum = (last ? corner : edge[i]) * v[0];
      for (std::size_t j = 1; j <= std::min(i + 1, order - 1); ++j) {
        sum += (last ? edge[order - 1 - j] : inverse_factorial[i - j + 1]) * v[j];
      }
      next[i] = scale * sum;
    }
    std::swap(v, next);
  }
  const long double left = log_factorial(n) - n * std::log(static_cast<long double>(n) * scale);
  return v[k - 1] * static_cast<double>(std::exp(left));
}

}  // namespace

double two_sample_tail(std::int64_t n, std::int64_t m, std::int64_t statistic,
                       std::span<const std::int64_t> tie_groups) {
  assert(n >= 1 && m >= 1);
  if (statistic <= 0) return 1.0;
  const std::int64_t total = n + m;

  // One diagonal i + j = t of u at a time, kept at index m − j: a step then reads ahead only and works in place.
  // Cells [lo, hi] may be below 1; all others are 1.
  std::vector<double> u(static_cast<std::size_t>(m) + 2, 1.0);
  std::vector<double> second(static_cast<std::size_t>(m) + 1);
  for (std::int64_t k = 0; k <= m; ++k) second[static_cast<std::size_t>(k)] = static_cast<double>(m - k);
  u[static_cast<std::size_t>(m)] = 0.0;
  std::int64_t lo = m;
  std::int64_t hi = m;

  std::size_t group = 0;
  std::int64_t group_end = tie_groups.empty() ? 1 : tie_groups[0];
  for (std::int64_t t = 1; t <= total; ++t) {
    lo = std::max<std::int64_t>(lo - 1, 0);
    hi = std::min(hi, total - t);
    const auto seen = static_cast<double>(t);
    const double inverse = 1.0 / seen;
    for (auto k = static_cast<std::size_t>(lo); k <= static_cast<std::size_t>(hi); ++k) {
      u[k] = ((seen - second[k]) * u[k] + second[k] * u[k + 1]) * inverse;
    }
    if (t == group_end) {
      const auto excess = [&](std::int64_t k) { return t * m - (m - k) * total; };  // i·m − j·n
      while (lo <= hi && excess(lo) <= -statistic) u[static_cast<std::size_t>(lo++)] = 1.0;
      while (lo <= hi && excess(hi) >= statistic) u[static_cast<std::size_t>(hi--)] = 1.0;
      ++group;
      group_end += tie_groups.empty() ? 1 : (group < tie_groups.size() ? tie_groups[group] : 0);
    }
    if (lo > hi) return 1.0;
  }
  assert(tie_groups.empty() || group == tie_groups.size());
  return std::min(u[0], 1.0);
}

double one_sample_tail(std::int64_t n, double d) {
  assert(n >= 1 && !std::isnan(d));
  const auto size = static_cast<double>(n);
  if (2.0 * size * d <= 1.0) return 1.0;
  if (d >= 1.0) return 0.0;
  if (d >= 0.5 || size * d * d >= 4.0) return std::min(1.0, 2.0 * one_sided_tail(size, d));
  return std::clamp(1.0 - marsaglia_tsang_wang(size, d), 0.0, 1.0);
}

double kolmogorov_tail(double x) {
  if (x <= 0.0) return 1.0;
  double sum = 0.0;
  if (x < 1.0) {
    // The theta function's other side: the alternating series converges slowly here.
    const double q = -std::numbers::pi * std::numbers::pi / (8.0 * x * x);
    for (double odd = 1.0; odd <= 9.0; odd += 2.0) sum += std::exp(odd * odd * q);
    return std::clamp(1.0 - std::sqrt(2.0 * std::numbers::pi) / x * sum, 0.0, 1.0);
  }
  for (double k = 1.0; k <= 6.0; ++k) {
    const double term = 2.0 * std::exp(-2.0 * k * k * x * x);
    sum += std::fmod(k, 2.0) == 1.0 ? term : -term;
  }
  return sum;
}

}  // namespace headroom::verify
