// The exact two-sample Kolmogorov–Smirnov test, at the 144 heads of Figure 2c and for larger samples.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/subjects.hpp"
#include "bench/work.hpp"
#include "sim/random.hpp"
#include "verify/statistics/ks.hpp"

namespace headroom::bench {
namespace {

struct Samples {
  std::vector<double> first;
  std::vector<double> second;
};

// So far apart that the p-value is about 0.01, where Figure 2c decides.
Samples draw(std::size_t size) {
  Samples samples{std::vector<double>(size), std::vector<double>(size)};
  sim::Stream stream(1, 2, size);
  stream.normals(samples.first);
  stream.normals(samples.second);
  for (double& x : samples.second) x += 2.0 / std::sqrt(static_cast<double>(size));
  return samples;
}

double statistic_by_definition(const Samples& samples) {
  double largest = 0;
  for (const std::vector<double>* values : {&samples.first, &samples.second}) {
    for (const double z : *values) {
      const auto share = [z](const std::vector<double>& of) {
        const auto below = std::count_if(of.begin(), of.end(), [z](double x) { return x <= z; });
        return static_cast<double>(below) / static_cast<double>(of.size());
      };
      largest = std::max(largest, std::abs(share(samples.first) - share(samples.second)));
    }
  }
  return largest;
}

// The probability that a random walk of n steps either way, ending where it began, leaves the band of half width h: the
// walks within it counted, each step halving the count so that it stays a number.
double tail_by_counting(std::size_t n, std::size_t h) {
  const std::size_t width = 2 * h - 1;
  std::vector<double> at(width + 2);
  std::vector<double> next(width + 2);
  at[h] = 1;
  for (std::size_t step = 0; step < 2 * n; ++step) {
    for (std::size_t k = 1; k <= width; ++k) next[k] = (at[k - 1] + at[k + 1]) / 2;
    std::swap(at, next);
  }
  const double size = static_cast<double>(n);
  const double log_all = std::lgamma(2 * size + 1) - 2 * std::lgamma(size + 1) - 2 * size * std::log(2.0);
  return 1 - at[h] / std::exp(log_all);
}

// Sorting both, and three operations for each cell of the lattice within the statistic's band.
void two_samples(benchmark::State& state, int threads, std::size_t size) {
  const Samples samples = draw(size);
  const verify::KsResult result = verify::ks_two_sample(samples.first, samples.second);
  const double n = static_cast<double>(size);
  if (size < 1000) require_close("the statistic", result.statistic, statistic_by_definition(samples), 1e-12);
  const auto band = static_cast<std::size_t>(std::lround(result.statistic * n));
  require_close("the p-value", result.p_value, tail_by_counting(size, band), 1e-8);
  const double outside = 1 - result.statistic;
  const Work work{{Limit::fma64, 2 * n * std::log2(n) + 3 * n * n * (1 - outside * outside)}, {Limit::copy_l1, 16 * n}};
  time_work(state, work, threads, [&] { return verify::ks_two_sample(samples.first, samples.second).p_value; });
}

}  // namespace

void add_ks() {
  for (const std::size_t size : {std::size_t{144}, std::size_t{4096}}) {
    add_benchmark(fmt::format("ks/two_samples/n:{}", size), {1},
                  [size](benchmark::State& state, int threads) { two_samples(state, threads, size); });
  }
}

}  // namespace headroom::bench
