// Algorithm 5 on one causal head, with random and with the worst directions.
#include <cmath>
#include <vector>

#include "bench/causal_head.hpp"
#include "bench/subjects.hpp"
#include "bench/work.hpp"
#include "theory/secular_equation.hpp"
#include "verify/sensitivity.hpp"

namespace headroom::bench {
namespace {

constexpr std::size_t tokens = 1024;

verify::SensitivityPlan figure_plan() {
  verify::SensitivityPlan plan{{}, {1e-3, 1e-1, 10.0}, 1, 1};
  for (int k = 0; k < 16; ++k) plan.temperatures.push_back(std::pow(10.0, -3.0 + k / 3.0));
  return plan;
}

void check(const CausalHead& head, const verify::SensitivityPlan& plan, const verify::Sensitivity& measured) {
  const std::size_t at = plan.temperatures.size() - 1;  // the hottest, where ε = 10⁻³ is as good as a derivative
  const double temperature = plan.temperatures[at];
  double sum = 0;
  for (std::size_t r = 0; r < head.tokens; ++r) {
    std::vector<double> weights(head.logits.begin() + static_cast<std::ptrdiff_t>(r * head.tokens),
                                head.logits.begin() + static_cast<std::ptrdiff_t>(r * head.tokens + r + 1));
    double total = 0;
    for (double& w : weights) total += w = std::exp(w / temperature);
    for (double& w : weights) w /= total;
    // A token alone has weight 1 and no derivative.
    if (r > 0) sum += theory::jacobian_norm_by_bisection<double>(weights) / temperature;
  }
  const double mean = sum / static_cast<double>(head.tokens);
  require_close("mean of the Jacobian norm", measured.jacobian_norm[at], mean, 1e-5);
  require_close("g_worst at a small step", measured.g_worst[at * plan.epsilons.size()], mean, 1e-3);
}

// Per temperature the softmax itself, and per step length two more, one for either direction: an exponential and four
// operations (difference, sum, squared norm, division by the sum) a token each.
void figure(benchmark::State& state, int threads, verify::Precision precision) {
  const CausalHead head(tokens, 1);
  const verify::SensitivityPlan plan = figure_plan();
  check(head, plan, verify::measure_sensitivity(head.view(), plan, precision));
  const double exponentials = head.pairs() * static_cast<double>(plan.temperatures.size()) *
                              (1 + 2 * static_cast<double>(plan.epsilons.size()));
  const Work work =
      precision == verify::Precision::full
          ? Work{{Limit::exp64, exponentials}, {Limit::fma64, 4 * exponentials}, {Limit::copy_l1, 8 * exponentials}}
          : Work{{Limit::exp32, exponentials}, {Limit::fma32, 4 * exponentials}, {Limit::copy_l1, 4 * exponentials}};
  time_parallel(state, work, threads,
                [&] { return verify::measure_sensitivity(head.view(), plan, precision).g.back(); });
}

}  // namespace

void add_sensitivity() {
  add_benchmark("sensitivity/figure/single/L:1024", {1, 2},
                [](benchmark::State& state, int threads) { figure(state, threads, verify::Precision::single); });
  add_benchmark("sensitivity/figure/double/L:1024", {1, 2},
                [](benchmark::State& state, int threads) { figure(state, threads, verify::Precision::full); });
}

}  // namespace headroom::bench
