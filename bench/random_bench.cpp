// Normals and points on the sphere beside the standard library's.
#include <cmath>
#include <random>
#include <stdexcept>

#include "bench/normalizer_subjects.hpp"
#include "sim/random.hpp"

namespace headroom::bench {
namespace {

constexpr std::size_t count = std::size_t{1} << 16U;
constexpr std::size_t dim = 64;

// Box–Muller: half a logarithm, half a root, one of sine and cosine, some twenty operations each.
const Work per_normal{{Limit::fma64, 30}, {Limit::copy_l1, sizeof(double)}};

/// Mean 0 and variance 1 within six standard errors; of points, norms of 1.
void check(const std::vector<double>& x, bool sphere) {
  double sum = 0, squares = 0;
  for (const double v : x) {
    sum += v;
    squares += v * v;
  }
  const auto n = static_cast<double>(x.size());
  const double scale = sphere ? std::sqrt(static_cast<double>(dim)) : 1;
  if (std::abs(sum * scale) > 6 * std::sqrt(n)) throw std::runtime_error("the mean is not 0");
  const double tolerance = sphere ? 1e-9 : 6 * std::sqrt(2 / n);
  if (std::abs(squares * scale * scale / n - 1) > tolerance) throw std::runtime_error("the variance is not 1");
}

void ours(benchmark::State& state, int threads, bool sphere) {
  std::vector<double> x(count);
  std::uint64_t block = 0;
  const auto run = [&] {
    sim::Stream stream(1, 2, block++);
    if (sphere) {
      sim::fill_sphere(stream, {x.data(), count / dim, dim});
    } else {
      stream.normals(x);
    }
  };
  run();
  check(x, sphere);
  time_items(state, per_normal.times(count), threads, count, run);
}

void standard(benchmark::State& state, int threads, bool sphere) {
  std::vector<double> x(count);
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  const auto run = [&] {
    for (double& v : x) v = normal(engine);
    for (std::size_t row = 0; sphere && row < count; row += dim) {
      double squares = 0;
      for (std::size_t i = 0; i < dim; ++i) squares += x[row + i] * x[row + i];
      const double norm = std::sqrt(squares);
      for (std::size_t i = 0; i < dim; ++i) x[row + i] /= norm;
    }
  };
  run();
  check(x, sphere);
  time_items(state, per_normal.times(count), threads, count, run);
}

}  // namespace

// One thread: streams belong to work items, and two of them are two of these.
void add_random() {
  for (const bool sphere : {false, true}) {
    const std::string subject = sphere ? "sphere/d:64/" : "normals/";
    add_benchmark(subject + "headroom", {1}, [sphere](benchmark::State& s, int t) { ours(s, t, sphere); });
    add_benchmark(subject + "std", {1}, [sphere](benchmark::State& s, int t) { standard(s, t, sphere); });
  }
}

}  // namespace headroom::bench
