#include "verify/sensitivity.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/random.hpp"
#include "theory/jacobian_norm.hpp"
#include "verify/row_kernels.hpp"
#include "verify/sensitivity_kernels.hpp"

namespace headroom::verify {
namespace {

// Pads with a logit that no temperature in range lets through.
constexpr double no_logit = -1e300;

// e⁻⁴⁶ = 1e-20: tokens this far below the second largest weight change no sum of a row in double precision.
constexpr double negligible_depth = 46;

// The tokens of a row that matter at some temperature, side by side: at low temperature few are left.
struct ActiveTokens {
  std::size_t size = 0;
  std::size_t padded = 0;
  std::size_t top = 0;
  std::vector<double> logits, alpha, random, worst, change;
  std::vector<std::uint32_t> position;

  void resize(std::size_t count) {
    size = count;
    padded = (count + lane_group - 1) / lane_group * lane_group;
    logits.resize(padded);
    alpha.resize(padded);
    random.resize(padded);
    worst.resize(padded);
    change.resize(padded);
  }
};

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
    worst_.assign(size_, 0.0);
    random_.resize(size_);
    sim::Stream stream(plan_.seed, plan_.cell, query);
    sim::fill_sphere(stream, {random_.data(), 1, size_});
    longest_random_ = 0;
    for (double v : random_) longest_random_ = std::max(longest_random_, std::abs(v));
    const auto largest = std::max_element(logits_.begin(), logits_.end());
    largest_ = *largest;
    top_ = static_cast<std::size_t>(largest - logits_.begin());
    second_ = no_logit;
    for (std::size_t i = 0; i < size_; ++i) {
      if (i != top_) second_ = std::max(second_, logits_[i]);
    }
  }

  // Keeps the tokens whose logit over T is less than `depth` below the second largest.
  void activate(double temperature, double depth) {
    const double cut = second_ - depth * temperature;
    active_.position.resize(size_);
    std::size_t count = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      active_.position[count] = static_cast<std::uint32_t>(i);
      count += logits_[i] >= cut ? 1 : 0;
    }
    active_.resize(count);
    for (std::size_t a = 0; a < count; ++a) {
      const std::size_t i = active_.position[a];
      active_.logits[a] = logits_[i];
      active_.random[a] = random_[i];
      active_.worst[a] = worst_[i];
      if (i == top_) active_.top = a;
    }
    for (std::size_t a = count; a < active_.padded; ++a) {
      active_.logits[a] = no_logit;
      active_.random[a] = active_.worst[a] = 0;
    }
    softmax_row(active_.logits.data(), active_.padded, largest_, temperature, active_.alpha.data());
  }

  void measure_at(double temperature, std::span<double> out) {
    activate(temperature, negligible_depth);
    const std::size_t first_size = active_.size;
    const std::span<double> worst{active_.worst.data(), first_size};
    out[0] = theory::jacobian_top_vector({active_.alpha.data(), first_size}, worst) / temperature;
    std::fill(worst_.begin(), worst_.end(), 0.0);
    for (std::size_t a = 0; a < first_size; ++a) worst_[active_.position[a]] = worst[a];
    const double random_longest = longest_component(active_.random.data(), active_.padded);
    const double worst_longest = longest_component(active_.worst.data(), active_.padded);
    const std::size_t count = plan_.epsilons.size();
    for (std::size_t e = 0; e < count; ++e) {
      const double scale = plan_.epsilons[e] / temperature;
      if (scale * random_longest <= small_step) out[1 + e] = small(active_.random, plan_.epsilons[e], temperature);
      if (scale * worst_longest <= small_step)
        out[1 + count + e] = small(active_.worst, plan_.epsilons[e], temperature);
    }
    // A large step may lift tokens from further down, by at most twice its largest component.
    for (std::size_t e = 0; e < count; ++e) {
      const double scale = plan_.epsilons[e] / temperature;
      if (scale * random_longest > small_step) {
        activate(temperature, negligible_depth + 2 * scale * longest_random_);
        out[1 + e] = large(active_.random, plan_.epsilons[e], temperature);
      }
      if (scale * worst_longest > small_step) {
        activate(temperature, negligible_depth + 2 * scale * worst_longest);
        out[1 + count + e] = large(active_.worst, plan_.epsilons[e], temperature);
      }
    }
  }

  // The token whose change is minus the sum of the others', or none.
  [[nodiscard]] std::size_t dominant() const { return active_.alpha[active_.top] > 0.5 ? active_.top : active_.padded; }

  double small(const std::vector<double>& direction, double epsilon, double temperature) {
    return small_change(active_.alpha.data(), direction.data(), epsilon / temperature, active_.padded, dominant(),
                        active_.change.data()) /
           epsilon;
  }

  double large(const std::vector<double>& direction, double epsilon, double temperature) {
    return large_change(active_.logits.data(), active_.alpha.data(), direction.data(), temperature,
                        epsilon / temperature, active_.padded, dominant(), active_.change.data()) /
           epsilon;
  }

  static constexpr double small_step = 0.5;

  const HeadView& head_;
  const SensitivityPlan& plan_;
  std::size_t size_ = 0;
  std::size_t top_ = 0;
  double largest_ = 0;
  double second_ = 0;
  double longest_random_ = 0;
  std::vector<double> logits_, worst_, random_;
  ActiveTokens active_;
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
