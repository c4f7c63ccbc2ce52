#include "verify/statistics/ks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "verify/statistics/ks_tail.hpp"

namespace headroom::verify {
namespace {

std::vector<double> sorted(std::span<const double> sample, const std::string& name) {
  if (sample.empty()) throw_input("a Kolmogorov-Smirnov test needs values", name, "give at least one value");
  for (std::size_t i = 0; i < sample.size(); ++i) {
    if (std::isnan(sample[i])) {
      throw_input("a NaN cannot be ranked", name + ", element " + std::to_string(i), "remove it or find its cause");
    }
  }
  std::vector<double> result(sample.begin(), sample.end());
  std::sort(result.begin(), result.end());
  return result;
}

struct Comparison {
  std::int64_t statistic = 0;            ///< max |i·m − j·n| at the ends of the groups
  std::vector<std::int64_t> tie_groups;  ///< sizes of the groups of equal pooled values
};

Comparison compare(const std::vector<double>& first, const std::vector<double>& second) {
  Comparison result;
  const auto n = static_cast<std::int64_t>(first.size());
  const auto m = static_cast<std::int64_t>(second.size());
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < first.size() || j < second.size()) {
    const double infinity = std::numeric_limits<double>::infinity();
    const double value = std::min(i < first.size() ? first[i] : infinity, j < second.size() ? second[j] : infinity);
    const std::size_t before = i + j;
    while (i < first.size() && first[i] == value) ++i;
    while (j < second.size() && second[j] == value) ++j;
    result.tie_groups.push_back(static_cast<std::int64_t>(i + j - before));
    const std::int64_t gap = static_cast<std::int64_t>(i) * m - static_cast<std::int64_t>(j) * n;
    result.statistic = std::max(result.statistic, std::abs(gap));
  }
  return result;
}

}  // namespace

KsResult ks_two_sample(std::span<const double> first, std::span<const double> second) {
  const std::vector<double> a = sorted(first, "first sample");
  const std::vector<double> b = sorted(second, "second sample");
  const Comparison comparison = compare(a, b);
  const auto n = static_cast<std::int64_t>(a.size());
  const auto m = static_cast<std::int64_t>(b.size());
  const double product = static_cast<double>(n) * static_cast<double>(m);
  const double d = static_cast<double>(comparison.statistic) / product;
  if (product <= static_cast<double>(ks_two_sample_exact_limit)) {
    return {d, two_sample_tail(n, m, comparison.statistic, comparison.tie_groups), KsMethod::exact};
  }
  return {d, kolmogorov_tail(d * std::sqrt(product / static_cast<double>(n + m))), KsMethod::asymptotic};
}

KsResult ks_one_sample(std::span<const double> sample, const std::function<double(double)>& cdf) {
  const std::vector<double> x = sorted(sample, "sample");
  const auto n = static_cast<double>(x.size());
  double d = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double f = cdf(x[i]);
    if (!(f >= 0.0 && f <= 1.0)) {
      throw_input("a distribution function must lie in [0, 1], got " + std::to_string(f),
                  "cdf at " + std::to_string(x[i]), "check the law tested against");
    }
    const auto rank = static_cast<double>(i);
    d = std::max({d, (rank + 1.0) / n - f, f - rank / n});
  }
  const auto size = static_cast<std::int64_t>(x.size());
  if (size <= ks_one_sample_exact_limit) return {d, one_sample_tail(size, d), KsMethod::exact};
  const double scaled = std::sqrt(n) * d;
  return {d, kolmogorov_tail(scaled + 1.0 / (6.0 * std::sqrt(n)) + (scaled - 1.0) / (4.0 * n)), KsMethod::asymptotic};
}

}  // namespace headroom::verify
