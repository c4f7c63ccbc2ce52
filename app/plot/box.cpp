#include "app/plot/box.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headroom::app::plot {
namespace {

constexpr double kWhiskerReach = 1.5;  // in interquartile ranges, after Tukey

}  // namespace

double quantile(const std::vector<double>& ascending, double p) {
  assert(!ascending.empty() && p >= 0 && p <= 1);
  const double place = p * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], place - static_cast<double>(below));
}

BoxSummary summarize(std::vector<double> sample) {
  std::erase_if(sample, [](double value) { return !std::isfinite(value); });
  assert(!sample.empty());
  std::sort(sample.begin(), sample.end());
  BoxSummary box;
  box.lower_quartile = quantile(sample, 0.25);
  box.median = quantile(sample, 0.5);
  box.upper_quartile = quantile(sample, 0.75);
  const double reach = kWhiskerReach * (box.upper_quartile - box.lower_quartile);
  const auto first = std::lower_bound(sample.begin(), sample.end(), box.lower_quartile - reach);
  const auto last = std::upper_bound(sample.begin(), sample.end(), box.upper_quartile + reach);
  // An interpolated quartile can lie beyond every value within reach; the whisker then has no length.
  box.lower_whisker = std::min(*first, box.lower_quartile);
  box.upper_whisker = std::max(*(last - 1), box.upper_quartile);
  box.outliers.assign(sample.begin(), first);
  box.outliers.insert(box.outliers.end(), last, sample.end());
  return box;
}

}  // namespace headroom::app::plot
