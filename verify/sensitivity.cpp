#include "verify/sensitivity.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>

#include "sim/random.hpp"
#include "theory/jacobian_norm.hpp"
#include "verify/row_kernels.hpp"
#include "verify/sensitivity_kernels.hpp"

namespace headroom::verify {
namespace {

// Pads with a logit that no temperature in range lets through.
constexpr double no_logit = -1e300;

class RowSensitivity {
 public:
  RowSensitivity(const HeadView& head, const SensitivityPlan& plan) : head_(head), plan_(plan) {}

  // Values of one row, per temperature: ‖J‖, then g per ε, then g_worst per ε.
  void measure(std::size_t query, std::span<double> out) {
    std::fill(out.begin(), out.end(), 0.0);
    load(query);
    if (size_ < 2) return;
    const std::size_t stride = 1 + 2 * plan_.epsilons.size();
    for (std::size_t t = 0; t < plan_.temperatures.size(); ++t) {
      measure_at(plan_.temperatures[t], out.subspan(t * stride, stride));
    }
  }

 private:
  void load(std::size_t query) {
    const Visibility& visibility = head_.visibility;
    const Visibility::Range range = visibility.range(query);
    logits_.clear();
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (visibility.visible(query, i)) logits_.push_back(head_.logits(query, i));
    }
    size_ = logits_.size();
    if (size_ < 2) return;
    padded_ = (size_ + lane_group - 1) / lane_group * lane_group;
    logits_.resize(padded_, no_logit);
    alpha_.resize(padded_);
    change_.resize(padded_);
    worst_.assign(padded_, 0.0);
    random_.assign(padded_, 0.0);
    sim::Stream stream(plan_.seed, plan_.cell, query);
    sim::fill_sphere(stream, {random_.data(), 1, size_});
    random_longest_ = longest_component(random_.data(), padded_);
    const auto largest = std::max_element(logits_.begin(), logits_.end());
    largest_ = *largest;
    top_ = static_cast<std::size_t>(largest - logits_.begin());
  }

  void measure_at(double temperature, std::span<double> out) {
    softmax_row(logits_.data(), padded_, largest_, temperature, alpha_.data());
    out[0] = theory::jacobian_top_vector({alpha_.data(), size_}, {worst_.data(), size_}) / temperature;
    const double worst_longest = longest_component(worst_.data(), padded_);
    const std::size_t count = plan_.epsilons.size();
    for (std::size_t e = 0; e < count; ++e) {
      out[1 + e] = change_per_step(random_, random_longest_, plan_.epsilons[e], temperature);
      out[1 + count + e] = change_per_step(worst_, worst_longest, plan_.epsilons[e], temperature);
    }
  }

  double change_per_step(const std::vector<double>& direction, double longest, double epsilon, double temperature) {
    constexpr double small_step = 0.5;
    const double scale = epsilon / temperature;
    const std::size_t top = alpha_[top_] > 0.5 ? top_ : padded_;
    const double change = scale * longest <= small_step
                              ? small_change(alpha_.data(), direction.data(), scale, padded_, top, change_.data())
                              : large_change(logits_.data(), alpha_.data(), direction.data(), temperature, scale,
                                             padded_, top, change_.data());
    return change / epsilon;
  }

  const HeadView& head_;
  const SensitivityPlan& plan_;
  std::size_t size_ = 0;
  std::size_t padded_ = 0;
  std::size_t top_ = 0;
  double largest_ = 0;
  double random_longest_ = 0;
  std::vector<double> logits_, alpha_, change_, worst_, random_;
};

}  // namespace

Sensitivity measure_sensitivity(const HeadView& head, const SensitivityPlan& plan) {
  assert(!head.logits.empty() && head.visibility.queries() == head.logits.rows);
  const std::size_t rows = head.logits.rows;
  const std::size_t temperatures = plan.temperatures.size();
  const std::size_t epsilons = plan.epsilons.size();
  const std::size_t stride = 1 + 2 * epsilons;
  const std::size_t slots = temperatures * stride;
  std::vector<double> values(rows * slots);
#pragma omp parallel
  {
    RowSensitivity row(head, plan);
#pragma omp for schedule(dynamic, 4)
    for (std::ptrdiff_t r = static_cast<std::ptrdiff_t>(rows) - 1; r >= 0; --r) {
      const auto at = static_cast<std::size_t>(r);
      row.measure(at, {values.data() + at * slots, slots});
    }
  }
  std::vector<double> mean(slots, 0.0);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t slot = 0; slot < slots; ++slot) mean[slot] += values[r * slots + slot];
  }
  for (double& m : mean) m /= static_cast<double>(rows);

  Sensitivity result;
  for (std::size_t t = 0; t < temperatures; ++t) {
    const double* at = mean.data() + t * stride;
    result.jacobian_norm.push_back(at[0]);
    result.g.insert(result.g.end(), at + 1, at + 1 + epsilons);
    result.g_worst.insert(result.g_worst.end(), at + 1 + epsilons, at + stride);
  }
  return result;
}

}  // namespace headroom::verify
