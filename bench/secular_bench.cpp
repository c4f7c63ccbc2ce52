// ‖diag(α) − ααᵀ‖₂ of every row of a causal head, by the secular equation.
#include <vector>

#include "bench/causal_head.hpp"
#include "bench/subjects.hpp"
#include "bench/work.hpp"
#include "theory/jacobian_norm.hpp"
#include "theory/secular_equation.hpp"

namespace headroom::bench {
namespace {

constexpr std::size_t tokens = 1024;

std::span<const double> visible(const CausalHead& head, std::size_t row) {
  return head.view().weights.row(row).first(row + 1);
}

double sum_of_norms(const CausalHead& head) {
  double sum = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : sum)
  for (std::ptrdiff_t r = static_cast<std::ptrdiff_t>(head.tokens) - 1; r >= 0; --r) {
    sum += theory::jacobian_norm(visible(head, static_cast<std::size_t>(r)));
  }
  return sum;
}

// The two largest weights (three comparisons each), three power sums, and two steps towards the root: a step adds to
// three sums over poles, a division and seven operations a weight.
void rows(benchmark::State& state, int threads) {
  const CausalHead head(tokens, 1);
  double exact = 0;
  for (std::size_t r = 0; r < tokens; ++r) exact += theory::jacobian_norm_by_bisection<double>(visible(head, r));
  require_close("sum of the norms", sum_of_norms(head), exact, 1e-10);
  constexpr double steps = 2;
  const Work per_pair{{Limit::fma64, 3 + 3 + 7 * steps}, {Limit::div64, steps}, {Limit::copy_l1, 8 * (2 + steps)}};
  time_parallel(state, per_pair.times(head.pairs()), threads, [&] { return sum_of_norms(head); });
}

}  // namespace

void add_secular() { add_benchmark("secular/rows/L:1024", {1, 2}, rows); }

}  // namespace headroom::bench
