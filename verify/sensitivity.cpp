#include "verify/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/random.hpp"
#include "theory/jacobian_norm.hpp"
#include "verify/lanes.hpp"
#include "verify/sensitivity_kernels.hpp"
#include "verify/weight_order.hpp"

namespace headroom::verify {
namespace {

// Pads with a depth that no temperature in range lets through; in single precision too.
constexpr double no_depth = -1e30;

// e⁻⁴⁶ = 1e-20: tokens this far below the second largest weight change no sum of a row in double precision.
constexpr double negligible_depth = 46;

// Depths in near order (sort_by_depth) are out of it by less than this factor.
constexpr double disorder = 1 + 1.0 / 64;

// A second weight of e⁻⁴⁰ leaves those `negligible_depth` below it in the range of single precision.
constexpr double deepest_single = 40;

// |εv_i/T| up to which expm1 gives the step.
constexpr double small_step = 0.5;

// … and up to which a few terms of its series do in single precision.
constexpr double tiny_step = 0.01;

// In four chains, as one would wait for every comparison.
double largest_of(std::span<const double> values) {
  constexpr std::size_t chains = 4;
  std::array<double, chains> largest;
  largest.fill(values.front());
  std::size_t i = 0;
  for (; i + chains <= values.size(); i += chains) {
    for (std::size_t c = 0; c < chains; ++c) largest[c] = std::max(largest[c], values[i + c]);
  }
  for (; i < values.size(); ++i) largest[0] = std::max(largest[0], values[i]);
  return *std::max_element(largest.begin(), largest.end());
}

template <class Real>
class RowSensitivity {
 public:
  // Values of one row, per temperature: ‖J‖, then g per ε, then g_worst per ε.
  void measure(const HeadView& strip, std::size_t query, std::size_t row, const SensitivityPlan& plan,
               std::span<double> out) {
    std::fill(out.begin(), out.end(), 0.0);
    load(strip, query);
    if (size_ < 2) return;
    draw(plan, row);
    const std::size_t stride = 1 + 2 * plan.epsilons.size();
    for (std::size_t t = 0; t < plan.temperatures.size(); ++t) {
      measure_at(plan.temperatures[t], plan.epsilons, out.subspan(t * stride, stride));
    }
  }

 private:
  // The visible tokens by decreasing logit, near enough: those that matter at a temperature are then the first few.
  void load(const HeadView& strip, std::size_t query) {
    const Visibility& visibility = strip.visibility;
    const Visibility::Range range = visibility.range(query);
    const double* logits = strip.logits.row_data(query);
    unsorted_.clear();
    if (visibility.contiguous(query)) {
      unsorted_.assign(logits + range.begin, logits + range.end);
    } else {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        if (visibility.visible(query, i)) unsorted_.push_back(logits[i]);
      }
    }
    size_ = unsorted_.size();
    if (size_ < 2) return;
    const double largest = largest_of(unsorted_);
    for (double& depth : unsorted_) depth = std::max(depth - largest, no_depth);
    order_.resize(size_);
    sort_by_depth(unsorted_, order_);
    padded_ = padded_size<Real>(size_);
    for (std::vector<Real>* array : {&alpha_, &random_, &worst_, &change_}) array->assign(padded_, Real{0});
    for (std::vector<double>* array : {&wide_alpha_, &wide_worst_}) array->resize(padded_);
    depth_.assign(padded_, static_cast<Real>(no_depth));
    wide_depth_.assign(padded_, no_depth);
    for (std::size_t i = 0; i < size_; ++i) {
      wide_depth_[i] = unsorted_[order_[i]];
      depth_[i] = static_cast<Real>(wide_depth_[i]);
    }
    // Nearly in order: what exceeds the second stands close behind it.
    second_ = wide_depth_[1];
    for (std::size_t i = 2; i < size_ && wide_depth_[i] >= wide_depth_[1] * disorder; ++i) {
      second_ = std::max(second_, wide_depth_[i]);
    }
    active_ = 0;
  }

  void draw(const SensitivityPlan& plan, std::size_t row) {
    sim::Stream stream(plan.seed, plan.cell, row);
    sim::fill_sphere(stream, {unsorted_.data(), 1, size_});
    for (std::size_t i = 0; i < size_; ++i) random_[i] = static_cast<Real>(unsorted_[order_[i]]);
    longest_random_ = kernels_.longest_component(random_.data(), padded_);
  }

  // Keeps the tokens whose logit over T is less than `depth` below the second largest, a few more because they are only
  // nearly in order and to fill whole lanes, and gives them their weights.
  void activate(double temperature, double depth) {
    const double cut = std::max((second_ - depth * temperature) * disorder, no_depth);
    const auto end = std::partition_point(depth_.begin(), depth_.begin() + static_cast<std::ptrdiff_t>(size_),
                                          [cut](Real at) { return static_cast<double>(at) >= cut; });
    const std::size_t wanted = padded_size<Real>(static_cast<std::size_t>(end - depth_.begin()));
    if (temperature == temperature_ && wanted <= active_) return;
    temperature_ = temperature;
    active_ = wanted;
    // Weights that single precision takes for zero still say which way is the worst.
    if (second_ < -deepest_single * temperature) {
      softmax_row(wide_depth_.data(), active_, 0.0, temperature, wide_alpha_.data());
      std::transform(wide_alpha_.begin(), wide_alpha_.begin() + static_cast<std::ptrdiff_t>(active_), alpha_.begin(),
                     [](double alpha) { return static_cast<Real>(alpha); });
      return;
    }
    kernels_.softmax(depth_.data(), active_, temperature, alpha_.data(), wide_alpha_.data());
  }

  void measure_at(double temperature, const std::vector<double>& epsilons, std::span<double> out) {
    activate(temperature, negligible_depth);
    const std::size_t seen = std::min(active_, size_);
    const std::span<double> worst{wide_worst_.data(), seen};
    out[0] = theory::jacobian_top_vector({wide_alpha_.data(), seen}, worst) / temperature;
    std::transform(worst.begin(), worst.end(), worst_.begin(), [](double v) { return static_cast<Real>(v); });
    std::fill(worst_.begin() + static_cast<std::ptrdiff_t>(seen), worst_.end(), Real{0});
    const double random_longest = kernels_.longest_component(random_.data(), active_);
    const double worst_longest = kernels_.longest_component(worst_.data(), active_);
    const std::size_t count = epsilons.size();
    for (std::size_t e = 0; e < count; ++e) {
      const double scale = epsilons[e] / temperature;
      if (scale * random_longest <= small_step) out[1 + e] = small(random_, epsilons[e], scale * random_longest);
      if (scale * worst_longest <= small_step) out[1 + count + e] = small(worst_, epsilons[e], scale * worst_longest);
    }
    // A large step may lift tokens from further down, by at most twice its largest component.
    for (std::size_t e = 0; e < count; ++e) {
      const double scale = epsilons[e] / temperature;
      if (scale * random_longest > small_step) {
        activate(temperature, negligible_depth + 2 * scale * longest_random_);
        out[1 + e] = large(random_, epsilons[e]);
      }
      if (scale * worst_longest > small_step) {
        activate(temperature, negligible_depth + 2 * scale * worst_longest);
        out[1 + count + e] = large(worst_, epsilons[e]);
      }
    }
  }

  // Whether the first token's change is better taken as minus the sum of the others'.
  [[nodiscard]] bool dominant() const { return wide_alpha_[0] > 0.5; }

  double small(const std::vector<Real>& direction, double epsilon, double longest) {
    return kernels_.small_change(alpha_.data(), direction.data(), epsilon / temperature_, active_, dominant(),
                                 longest <= tiny_step, change_.data()) /
           epsilon;
  }

  double large(const std::vector<Real>& direction, double epsilon) {
    return kernels_.large_change(depth_.data(), alpha_.data(), direction.data(), temperature_, epsilon / temperature_,
                                 active_, dominant(), change_.data()) /
           epsilon;
  }

  const SensitivityKernels<Real>& kernels_ = sensitivity_kernels<Real>();
  std::size_t size_ = 0;    // tokens of the row
  std::size_t padded_ = 0;  // of the arrays
  std::size_t active_ = 0;  // how many of them the kernels look at, whole lanes
  double temperature_ = 0;  // of the weights
  double second_ = 0;       // the second largest depth
  double longest_random_ = 0;
  std::vector<double> unsorted_, wide_depth_, wide_alpha_, wide_worst_;
  std::vector<std::uint32_t> order_;
  std::vector<Real> depth_, alpha_, random_, worst_, change_;
};

std::size_t slots(const SensitivityPlan& plan) { return plan.temperatures.size() * (1 + 2 * plan.epsilons.size()); }

}  // namespace

struct SensitivityPass::Workspace::State {
  RowSensitivity<float> single;
  RowSensitivity<double> full;
};

SensitivityPass::Workspace::Workspace() : state_(std::make_unique<State>()) {}
SensitivityPass::Workspace::Workspace(Workspace&&) noexcept = default;
SensitivityPass::Workspace& SensitivityPass::Workspace::operator=(Workspace&&) noexcept = default;
SensitivityPass::Workspace::~Workspace() = default;

SensitivityPass::SensitivityPass(SensitivityPlan plan, std::size_t rows, Precision precision)
    : plan_(std::move(plan)), rows_(rows), precision_(precision), values_(rows * slots(plan_)) {}

void SensitivityPass::run(const HeadView& strip, std::size_t first, Workspace& workspace) {
  assert(!strip.logits.empty() && strip.visibility.queries() == strip.logits.rows);
  assert(first + strip.logits.rows <= rows_);
  const std::size_t width = slots(plan_);
  for (std::size_t r = 0; r < strip.logits.rows; ++r) {
    const std::span<double> out{values_.data() + (first + r) * width, width};
    if (precision_ == Precision::single) {
      workspace.state_->single.measure(strip, r, first + r, plan_, out);
    } else {
      workspace.state_->full.measure(strip, r, first + r, plan_, out);
    }
  }
}

Sensitivity SensitivityPass::means() const {
  const std::size_t width = slots(plan_);
  const std::size_t epsilons = plan_.epsilons.size();
  std::vector<double> mean(width, 0.0);
  for (std::size_t r = 0; r < rows_; ++r) {
    for (std::size_t slot = 0; slot < width; ++slot) mean[slot] += values_[r * width + slot];
  }
  for (double& m : mean) m /= static_cast<double>(rows_);

  Sensitivity result;
  for (std::size_t t = 0; t < plan_.temperatures.size(); ++t) {
    const double* at = mean.data() + t * (1 + 2 * epsilons);
    result.jacobian_norm.push_back(at[0]);
    result.g.insert(result.g.end(), at + 1, at + 1 + epsilons);
    result.g_worst.insert(result.g_worst.end(), at + 1 + epsilons, at + 1 + 2 * epsilons);
  }
  return result;
}

Sensitivity measure_sensitivity(const HeadView& head, const SensitivityPlan& plan, Precision precision) {
  const std::size_t rows = head.logits.rows;
  SensitivityPass pass(plan, rows, precision);
#pragma omp parallel
  {
    SensitivityPass::Workspace workspace;
#pragma omp for schedule(dynamic, 4)
    for (std::ptrdiff_t r = static_cast<std::ptrdiff_t>(rows) - 1; r >= 0; --r) {
      const auto at = static_cast<std::size_t>(r);
      const HeadView strip{{}, {head.logits.row_data(at), 1, head.logits.cols}, {}, head.visibility.slice(at, 1)};
      pass.run(strip, at, workspace);
    }
  }
  return pass.means();
}

}  // namespace headroom::verify
