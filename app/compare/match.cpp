#include "app/compare/match.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <utility>

namespace headroom::app {

const char* match_name(Match match) {
  if (match == Match::none) return "none";
  return match == Match::entropy ? "entropy" : "max-weight";
}

double sharpness(const HeadWeights& weights, const Visibility& visibility, Match match) {
  double sum = 0;
  const std::vector<RowStatistics> rows = statistics_of(weights, visibility);
  for (const RowStatistics& row : rows) sum += match == Match::entropy ? row.entropy : row.max_weight;
  return sum / static_cast<double>(rows.size());
}

Fit fit_temperature(const Candidate& candidate, const HeadLogits& logits, Match match, double target,
                    HeadWeights& scratch) {
  Fit fit;
  fit.target = target;
  const auto excess = [&](double log_temperature) {
    candidate.weights(logits, std::exp(log_temperature), scratch);
    return sharpness(scratch, logits.visibility(), match) - target;
  };
  const double end = std::log(1e4);
  constexpr double step = 1.0;
  // Entropy rises with the temperature, the largest weight falls.
  const double sign = match == Match::entropy ? 1 : -1;
  double low = 0;
  double high = 0;
  double at_low = excess(0);
  double at_high = at_low;
  while (at_high * sign < 0 && high < end) {
    low = high;
    at_low = at_high;
    high = std::min(end, high == 0 ? step : 2 * high);
    at_high = excess(high);
  }
  while (at_low * sign > 0 && low > -end) {
    high = low;
    at_high = at_low;
    low = std::max(-end, low == 0 ? -step : 2 * low);
    at_low = excess(low);
  }
  if (at_low == 0 || at_high == 0) {
    fit.temperature = std::exp(at_low == 0 ? low : high);
    return fit;
  }
  if (at_low * at_high > 0) {
    fit.reached = false;
    fit.lowest = target + excess(match == Match::entropy ? -end : end);
    fit.highest = target + excess(match == Match::entropy ? end : -end);
    return fit;
  }
  std::uintmax_t most = 60;
  const auto close = [](double a, double b) { return std::abs(a - b) < 1e-4; };
  const std::pair<double, double> root =
      boost::math::tools::toms748_solve(excess, low, high, at_low, at_high, close, most);
  fit.temperature = std::exp((root.first + root.second) / 2);
  return fit;
}

}  // namespace headroom::app
