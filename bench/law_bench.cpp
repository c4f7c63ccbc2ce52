// The resolution law of one row, and of all rows of a causal head through the row pass, at N = 16.
#include <vector>

#include "bench/causal_head.hpp"
#include "bench/subjects.hpp"
#include "bench/work.hpp"
#include "theory/resolution_law.hpp"
#include "verify/measure.hpp"

namespace headroom::bench {
namespace {

using verify::Quantity;

constexpr std::size_t tokens = 1024;
constexpr std::size_t dim = 192;
constexpr double tolerance = 5e-3;
constexpr std::size_t top = 16;

// What a value takes at this tolerance, weights in order: the selected stood for by at most 12 values, the rest by 32,
// an integral of 16 points, and for each of these a lookup of log F_d with ten operations; one exponential a point.
Work one_value() {
  constexpr double integrals = 12 * 16;
  constexpr double per_point = 32 * 10;
  return {{Limit::fma64, integrals * per_point}, {Limit::exp64, integrals}, {Limit::copy_l1, 8.0 * tokens}};
}

void value(benchmark::State& state, int threads) {
  const std::vector<double> row = CausalHead(tokens, 1).decreasing(tokens - 1);
  const theory::ResolutionLaw law(dim, {.tolerance = tolerance});
  const theory::ResolutionLaw precise(dim, {.tolerance = 1e-6});
  require_close("1 + the law", 1 + law.separable(row, top), 1 + precise.separable(row, top), tolerance);
  time_work(state, one_value(), threads, [&] { return law.separable(row, top); });
}

void rows(benchmark::State& state, int threads) {
  const CausalHead head(tokens, dim);
  const theory::ResolutionLaw law(dim, {.tolerance = tolerance});
  const verify::Embeddings embeddings(head.view().vectors, {.gram = true});
  const Threads set(threads);
  verify::MeasureMemory memory;
  const auto mean = [&](Quantity quantity) {
    const verify::Plan plan = verify::Plan::uniform({top}, {quantity});
    return mean_over_rows(measure_rows(head.view(), embeddings, plan, {.law = &law}, memory), plan,
                          tokens)[0][quantity];
  };
  // The vectors of this head are the law's own assumption, so its mean must be what is measured.
  require_close("mean N_s/N by the law", mean(Quantity::separable_law), mean(Quantity::separable), 0.02);
  const double count = static_cast<double>(tokens - top);
  time_parallel(state, one_value().times(count), threads, [&] { return mean(Quantity::separable_law); });
}

// The same on merged weights: at most 8 bins of selected and 8 of other weights with two values each, 16 points, and
// for each of these a polynomial of degree 11 and an exponential of three terms.
void binned_rows(benchmark::State& state, int threads) {
  const CausalHead head(tokens, dim);
  const verify::BinnedLaw binned(dim);
  const theory::ResolutionLaw law(dim, {.tolerance = tolerance});
  const verify::Embeddings embeddings(head.view().vectors, {.gram = true, .precision = verify::Precision::single});
  const verify::Plan plan = verify::Plan::uniform({top}, {Quantity::separable_law});
  const Threads set(threads);
  verify::MeasureMemory memory;
  const auto mean = [&](const verify::RowPassOptions& options) {
    return mean_over_rows(measure_rows(head.view(), embeddings, plan, options, memory), plan,
                          tokens)[0][Quantity::separable_law];
  };
  require_close("mean of the binned law", mean({.binned_law = &binned}), mean({.law = &law}), 0.01);
  constexpr double evaluations = 16.0 * 16 * 16;
  const Work one{{Limit::fma32, 24 * evaluations}, {Limit::copy_l1, 8.0 * tokens}};
  time_parallel(state, one.times(static_cast<double>(tokens - top)), threads,
                [&] { return mean({.binned_law = &binned}); });
}

}  // namespace

void add_law() {
  add_benchmark("law/binned_rows/L:1024/N:16", {1, 2}, binned_rows);
  add_benchmark("law/value/N:16", {1}, value);
  add_benchmark("law/rows/L:1024/N:16", {1, 2}, rows);
}

}  // namespace headroom::bench
