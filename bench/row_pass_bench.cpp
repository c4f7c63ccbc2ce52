// The row pass on one causal head with d = 192, the bundled model's.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "bench/causal_head.hpp"
#include "bench/subjects.hpp"
#include "bench/work.hpp"
#include "verify/measure.hpp"

namespace headroom::bench {
namespace {

using verify::Embeddings;
using verify::Plan;
using verify::Precision;
using verify::Quantity;
using verify::RowTable;

constexpr std::size_t dim = 192;

// The last row by the definitions: D, E₀ and the separable share, each vector by itself.
struct LastRow {
  double distance = 0;
  double expected = 0;
  double separable = 0;
};

LastRow by_definition(const CausalHead& head, std::size_t top) {
  const std::size_t n = head.tokens;
  const std::span<const double> alpha = head.view().weights.row(n - 1);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return alpha[a] > alpha[b]; });
  std::vector<double> s(head.dim);
  std::vector<double> c(head.dim);
  for (std::size_t rank = 0; rank < n; ++rank) {
    for (std::size_t k = 0; k < head.dim; ++k) {
      const double y = alpha[order[rank]] * head.vectors[order[rank] * head.dim + k];
      c[k] += y;
      if (rank < top) s[k] += y;
    }
  }
  const double p = static_cast<double>(top) / static_cast<double>(n - 1);
  LastRow row;
  std::vector<double> to_context(n);
  for (std::size_t rank = 0; rank < n; ++rank) {
    double distance = 0;
    double expected = 0;
    for (std::size_t k = 0; k < head.dim; ++k) {
      const double y = alpha[order[rank]] * head.vectors[order[rank] * head.dim + k];
      distance += (s[k] - y) * (s[k] - y);
      expected += (p * (c[k] - y) - y) * (p * (c[k] - y) - y);
    }
    to_context[rank] = std::sqrt(distance);
    if (rank >= top) row.distance += to_context[rank];
    row.expected += std::sqrt(expected) * static_cast<double>(n - top) / static_cast<double>(n);
  }
  const auto middle = to_context.begin() + static_cast<std::ptrdiff_t>(top);
  const double radius = *std::min_element(middle, to_context.end());
  const auto below = std::count_if(to_context.begin(), middle, [&](double distance) { return distance < radius; });
  row.separable = static_cast<double>(below) / static_cast<double>(top);
  return row;
}

void check(const CausalHead& head, const RowTable& table, const Plan& plan) {
  constexpr double tolerance = 1e-5;  // what means may differ by in float32
  for (std::size_t request = 0; request < plan.requests().size(); request += 3) {
    const std::size_t top = plan.requests()[request].top;
    if (top >= head.tokens) continue;
    const LastRow exact = by_definition(head, top);
    const auto compare = [&](Quantity quantity, double expected) {
      const std::size_t slot = plan.slot(request, quantity);
      if (slot == Plan::none) return;
      require_close(fmt::format("{} at N = {}", verify::name(quantity), top), table.value(head.tokens - 1, slot),
                    expected, tolerance);
    };
    compare(Quantity::distance, exact.distance);
    compare(Quantity::expected, exact.expected);
    compare(Quantity::separable, exact.separable);
  }
}

void run(benchmark::State& state, int threads, std::size_t tokens, Precision precision, const Plan& plan,
         const Work& per_pair) {
  const CausalHead head(tokens, dim);
  const Embeddings embeddings(head.view().vectors, {.gram = true, .precision = precision});
  check(head, verify::measure_rows(head.view(), embeddings, plan), plan);
  // As where many heads are measured, one after the other in the same memory.
  const Threads set(threads);
  verify::MeasureMemory memory;
  const auto measure = [&] { return measure_rows(head.view(), embeddings, plan, {}, memory).values.back(); };
  benchmark::DoNotOptimize(measure());
  time_parallel(state, per_pair.times(head.pairs()), threads, measure);
}

// Every N up to 100 with D and E₀, as Algorithm 3 asks: per N and token two square roots, one product to bring s·x_i up
// to date, two for each of the two squares and one for each of their sums; a row of G is read, s·x_i read and written.
void every_top(benchmark::State& state, int threads, std::size_t tokens, Precision precision) {
  std::vector<std::size_t> tops(100);
  std::iota(tops.begin(), tops.end(), std::size_t{1});
  const double n = static_cast<double>(tops.size());
  const Work per_pair =
      precision == Precision::full
          ? Work{{Limit::sqrt64, 2 * n}, {Limit::fma64, 7 * n}, {Limit::copy_l2, 8 * n}, {Limit::copy_l1, 16 * n}}
          : Work{{Limit::sqrt32, 2 * n}, {Limit::fma32, 7 * n}, {Limit::copy_l2, 4 * n}, {Limit::copy_l1, 8 * n}};
  run(state, threads, tokens, precision, Plan::uniform(tops, {Quantity::distance, Quantity::expected}), per_pair);
}

// N_s/N on Algorithm 4's grid: s·x_i is brought up to date for each of the 256 selected; per N of the grid one product
// and one minimum a token.
void separable(benchmark::State& state, int threads, std::size_t tokens, Precision precision) {
  const std::vector<std::size_t> tops = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  const double steps = static_cast<double>(tops.back());
  const double n = static_cast<double>(tops.size());
  const Work per_pair =
      precision == Precision::full
          ? Work{{Limit::fma64, steps + 2 * n}, {Limit::copy_l2, 8 * steps}, {Limit::copy_l1, 16 * steps}}
          : Work{{Limit::fma32, steps + 2 * n}, {Limit::copy_l2, 4 * steps}, {Limit::copy_l1, 8 * steps}};
  run(state, threads, tokens, precision, Plan::uniform(tops, {Quantity::separable}), per_pair);
}

// G = XXᵀ, d products an entry, each entry written once.
void gram(benchmark::State& state, int threads, std::size_t tokens) {
  const CausalHead head(tokens, dim);
  const MatrixView<const double> x = head.view().vectors;
  const Embeddings embeddings(x, {.gram = true});
  for (const std::size_t i : {std::size_t{0}, tokens / 2, tokens - 1}) {
    for (const std::size_t j : {std::size_t{1}, tokens - 1}) {
      double exact = 0;
      for (std::size_t k = 0; k < dim; ++k) exact += x(i, k) * x(j, k);
      require_close(fmt::format("1 + inner product of {} and {}", i, j), 1 + embeddings.gram_row<double>(i)[j],
                    1 + exact, 1e-12);
    }
  }
  const double entries = static_cast<double>(tokens * tokens);
  const Work work{{Limit::fma64, entries * static_cast<double>(dim)}, {Limit::copy_memory, 8 * entries}};
  time_parallel(state, work, threads, [&] { return Embeddings(x, {.gram = true}).gram_row<double>(0)[1]; });
}

}  // namespace

void add_row_pass() {
  for (const std::size_t tokens : {std::size_t{256}, std::size_t{1024}}) {
    for (const Precision precision : {Precision::single, Precision::full}) {
      const char* name = precision == Precision::single ? "single" : "double";
      add_benchmark(fmt::format("row_pass/every_top/{}/L:{}", name, tokens), {1, 2},
                    [=](benchmark::State& state, int threads) { every_top(state, threads, tokens, precision); });
      if (tokens < 512) continue;
      add_benchmark(fmt::format("row_pass/separable/{}/L:{}", name, tokens), {1, 2},
                    [=](benchmark::State& state, int threads) { separable(state, threads, tokens, precision); });
    }
  }
  constexpr std::size_t tokens = 1024;
  add_benchmark(fmt::format("row_pass/gram/L:{}", tokens), {1, 2},
                [](benchmark::State& state, int threads) { gram(state, threads, tokens); });
}

}  // namespace headroom::bench
