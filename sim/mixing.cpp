#include "sim/mixing.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace headroom::sim {
namespace {

double mean(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

/// Σ (x_t − m)(x_{t+lag} − m)/n.
double autocovariance(std::span<const double> x, double m, std::size_t lag) {
  double sum = 0;
  for (std::size_t t = 0; t + lag < x.size(); ++t) sum += (x[t] - m) * (x[t + lag] - m);
  return sum / static_cast<double>(x.size());
}

}  // namespace

Mixing mixing(std::span<const std::vector<double>> chains) {
  std::vector<std::span<const double>> halves;
  for (const std::vector<double>& chain : chains) {
    assert(chain.size() >= 8 && chain.size() == chains.front().size());
    const std::span<const double> all(chain);
    const std::size_t half = chain.size() / 2;
    halves.push_back(all.first(half));
    halves.push_back(all.last(half));
  }
  const auto m = static_cast<double>(halves.size());
  const auto n = static_cast<double>(halves.front().size());
  std::vector<double> means;
  double within = 0;
  for (const auto& half : halves) {
    means.push_back(mean(half));
    within += autocovariance(half, means.back(), 0) * n / (n - 1) / m;
  }
  if (!(within > 0)) return {std::numeric_limits<double>::infinity(), 0};
  const double between = autocovariance(means, mean(means), 0) * m / (m - 1);  // of the means, per sample: B/n
  const double variance = within * (n - 1) / n + between;

  const auto correlation = [&](std::size_t lag) {
    double sum = 0;
    for (std::size_t k = 0; k < halves.size(); ++k) sum += autocovariance(halves[k], means[k], lag) * n / (n - 1) / m;
    return 1 - (within - sum) / variance;
  };
  // Sums of neighbouring correlations are positive and decreasing for a reversible chain; noise is cut where they are
  // not.
  double tau = -1;
  double previous = std::numeric_limits<double>::infinity();
  for (std::size_t lag = 0; lag + 1 < halves.front().size(); lag += 2) {
    const double pair = std::min(previous, correlation(lag) + correlation(lag + 1));
    if (!(pair > 0)) break;
    tau += 2 * pair;
    previous = pair;
  }
  tau = std::max(tau, 1 / std::log10(m * n));  // antithetic chains, within reason
  return {std::sqrt(variance / within), m * n / tau};
}

}  // namespace headroom::sim
