// The row pass on one causal head, beside what its sweeps are bound by. Prints tokens (row, N, i) per second.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/random.hpp"
#include "verify/measure.hpp"

namespace {

using namespace headroom;          // NOLINT(google-build-using-namespace)
using namespace headroom::verify;  // NOLINT(google-build-using-namespace)

// Weights of unit-variance Gaussian logits under a causal mask, and uniform unit vectors.
struct Head {
  std::size_t tokens;
  std::size_t dim;
  std::vector<double> weights = std::vector<double>(tokens * tokens);
  std::vector<double> vectors = std::vector<double>(tokens * dim);

  [[nodiscard]] HeadView view() const {
    return {{weights.data(), tokens, tokens}, {}, {vectors.data(), tokens, dim}, Visibility::causal(tokens, tokens)};
  }
};

Head draw_head(std::size_t tokens, std::size_t dim) {
  Head head{tokens, dim};
  sim::Stream stream(1, 1, 1);
  sim::fill_sphere(stream, {head.vectors.data(), tokens, dim});
  for (std::size_t r = 0; r < tokens; ++r) {
    double* row = head.weights.data() + r * tokens;
    stream.normals({row, r + 1});
    double sum = 0;
    for (std::size_t i = 0; i <= r; ++i) sum += row[i] = std::exp(row[i]);
    for (std::size_t i = 0; i <= r; ++i) row[i] /= sum;
  }
  return head;
}

// Every N up to 100 with D and E₀, as Algorithm 3 asks: two square roots and one fused product per (row, N, token).
void every_top(benchmark::State& state) {
  const Head head = draw_head(static_cast<std::size_t>(state.range(0)), 192);
  std::vector<std::size_t> tops;
  for (std::size_t top = 1; top <= 100; ++top) tops.push_back(top);
  const Plan plan = Plan::uniform(tops, {Quantity::distance, Quantity::expected});
  const Embeddings embeddings(head.view().vectors, {.gram = true});
  double distance = 0;
  for (auto _ : state) {
    const RowTable table = measure_rows(head.view(), embeddings, plan);
    benchmark::DoNotOptimize(distance += table.values.back());
  }
  if (!std::isfinite(distance)) state.SkipWithError("the last row has no distance");
  const double rows = static_cast<double>(head.tokens);
  state.counters["tokens"] = benchmark::Counter(rows * rows / 2 * 100, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(every_top)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond)->UseRealTime();

// The Gram matrix of the vectors, d fused products per entry.
void gram(benchmark::State& state) {
  const Head head = draw_head(static_cast<std::size_t>(state.range(0)), 192);
  for (auto _ : state) {
    const Embeddings embeddings(head.view().vectors, {.gram = true});
    benchmark::DoNotOptimize(embeddings.gram_row(0));
  }
  const double entries = static_cast<double>(head.tokens * head.tokens);
  state.counters["flop"] =
      benchmark::Counter(2 * entries * static_cast<double>(head.dim), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(gram)->Arg(1024)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
