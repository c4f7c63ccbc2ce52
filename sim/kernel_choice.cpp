#include "sim/kernel_choice.hpp"

#include <algorithm>
#include <cmath>

#include "sim/elementwise_kernels.hpp"
#include "sim/scaled_row.hpp"
#include "sim/secular.hpp"
#include "sim/simplex_kernels.hpp"
#include "sim/softmax_kernels.hpp"
#include "sim/spec.hpp"
#include "sim/top_k_kernels.hpp"

namespace headroom::sim {
namespace {

KernelKind kind_of_alpha(double alpha) {
  if (alpha == 1) return KernelKind::softmax;
  if (alpha == 2) return KernelKind::sparsemax;
  return alpha == 1.5 ? KernelKind::entmax15 : KernelKind::entmax;
}

KernelKind kind_of_power(const std::string& function) {
  if (function == "exp") return KernelKind::softmax;
  if (function == "softplus") return KernelKind::softplus;
  return function == "square" ? KernelKind::square : KernelKind::cosh;
}

}  // namespace

template <class Real>
KernelChoice<Real> KernelChoice<Real>::of(std::string_view text) {
  const Spec spec(text, "normalizer", normalizer_list());
  const std::string& id = spec.id();
  KernelChoice choice;
  if (id == "ssmax") {
    choice.constant_ = spec.number("b");
    choice.slope_ = spec.number("s");
  } else if (id == "logn") {
    choice.constant_ = 0;
    choice.slope_ = spec.number("kappa");
  } else if (id == "softmax1") {
    choice.kind_ = KernelKind::softmax1;
  } else if (id == "sasoftmax") {
    choice.kind_ = KernelKind::self_adjust;
  } else if (id == "sasoftmax-norm") {
    choice.kind_ = KernelKind::self_adjust_normalized;
  } else if (id == "topk") {
    choice.kind_ = KernelKind::top_k;
    choice.k_ = spec.count("k", 1);
  } else if (id == "sparsemax") {
    choice.kind_ = KernelKind::sparsemax;
  } else if (id == "entmax" || id == "asentmax") {
    choice.alpha_ = spec.number("alpha");
    choice.kind_ = kind_of_alpha(choice.alpha_);
    if (id == "asentmax") {
      choice.constant_ = spec.number("delta");
      choice.slope_ = spec.number("beta");
      choice.more_ = 1;
      choice.power_ = spec.number("gamma");
    }
  } else if (id == "sigmoid") {
    choice.kind_ = KernelKind::sigmoid;
    if (spec.text("b") != "-logn") choice.bias_ = spec.number("b");
  } else if (id == "power") {
    choice.kind_ = kind_of_power(spec.text("f"));
  }
  return choice;
}

template <class Real>
long double KernelChoice<Real>::factor(std::size_t n) const {
  if (slope_ == 0) return constant_;
  const long double length = std::log(static_cast<long double>(n) + more_);
  return constant_ + slope_ * (power_ == 1 ? length : std::pow(length, static_cast<long double>(power_)));
}

/// −∞ is a token of weight 0 that nothing else of the row depends on.
template <class Real>
bool KernelChoice<Real>::takes_masked() const {
  switch (kind_) {
    case KernelKind::softmax:
    case KernelKind::softmax1:
    case KernelKind::sparsemax:
    case KernelKind::entmax15:
    case KernelKind::entmax:
    case KernelKind::top_k:
      return slope_ == 0;
    case KernelKind::sigmoid:
      return bias_.has_value();
    default:
      return false;
  }
}

template <class Real>
DoubleDouble KernelChoice<Real>::scale_of(std::size_t n, double temperature) const {
  return to_factor(factor(n) / temperature);
}

template <class Real>
bool KernelChoice<Real>::prepare(RowTask<Real>& task, double temperature) const {
  if (!takes_masked() && elementwise_kernels<Real>().any_masked(task.logits, task.n)) return false;
  if (scales_with_length()) task.scale = scale_of(task.n, temperature);
  if (kind_ == KernelKind::sigmoid) {
    task.bias = bias_ ? DoubleDouble{*bias_, 0} : to_factor(-std::log(static_cast<long double>(task.n)));
  }
  // Well inside the range of Real, products with logits and their errors stay finite.
  constexpr bool single = sizeof(Real) == sizeof(float);
  constexpr double most = single ? 1e25 : 1e200;
  return task.scale.hi > 1 / most && task.scale.hi < most && std::abs(task.bias.hi) < most;
}

template <class Real>
std::size_t KernelChoice<Real>::scratch(std::size_t n) const {
  const bool selects = kind_ == KernelKind::sparsemax || kind_ == KernelKind::entmax15 || kind_ == KernelKind::entmax;
  constexpr std::size_t beyond = 16;
  return selects ? n + beyond : 0;
}

template <class Real>
void KernelChoice<Real>::run(std::span<RowTask<Real>> tasks, double* scratch) const {
  if (tasks.empty()) return;
  switch (kind_) {
    case KernelKind::softmax:
      return softmax_kernels<Real>().softmax(tasks);
    case KernelKind::softmax1:
      return softmax_kernels<Real>().softmax1(tasks);
    case KernelKind::self_adjust:
      return softmax_kernels<Real>().self_adjust(tasks);
    case KernelKind::self_adjust_normalized:
      return softmax_kernels<Real>().self_adjust_normalized(tasks);
    case KernelKind::sparsemax:
      return simplex_kernels<Real>().sparsemax(tasks, scratch);
    case KernelKind::entmax15:
      return simplex_kernels<Real>().entmax15(tasks, scratch);
    case KernelKind::entmax:
      return simplex_kernels<Real>().entmax(tasks, alpha_, scratch);
    case KernelKind::top_k:
      return top_k_kernels<Real>().top_k(tasks, k_);
    case KernelKind::sigmoid:
      return elementwise_kernels<Real>().sigmoid(tasks);
    case KernelKind::softplus:
      return elementwise_kernels<Real>().softplus(tasks);
    case KernelKind::square:
      return elementwise_kernels<Real>().square(tasks);
    case KernelKind::cosh:
      return elementwise_kernels<Real>().cosh(tasks);
  }
}

template <class Real>
WeightError KernelChoice<Real>::worst_error() const {
  constexpr bool single = sizeof(Real) == sizeof(float);
  switch (kind_) {
    case KernelKind::sparsemax:
    case KernelKind::entmax15:
    case KernelKind::entmax:
      // The threshold and, near α = 1, the logarithm of a weight are in float64.
      return {4, single ? 1e-14 : 4e-15};
    default:
      // e^z is 0 below the smallest normal number, which sasoftmax multiplies by z.
      return {4, single ? 1e-29 : 1e-299};
  }
}

template <class Real>
std::optional<double> KernelChoice<Real>::jacobian_norm(std::span<const Real> weights, std::size_t n,
                                                        double temperature, std::vector<double>& memory) const {
  const double scale = finite_ratio(static_cast<double>(factor(n)), temperature);
  memory.assign(weights.begin(), weights.end());
  switch (kind_) {
    case KernelKind::softmax:
    case KernelKind::top_k:
      break;
    case KernelKind::softmax1:
      return scale * secular_norm(memory, 1, std::max(0.0, 1 - sum_of(memory).hi));
    case KernelKind::sparsemax:
      for (double& w : memory) w = w > 0 ? 1 : 0;
      break;
    case KernelKind::entmax15:
      for (double& w : memory) w = std::sqrt(w);
      break;
    case KernelKind::entmax:  // beyond α = 2 capped where sums of a million still fit
      for (double& w : memory) w = w > 0 ? std::min(std::pow(w, 2 - alpha_), 1e300) : 0;
      break;
    case KernelKind::sigmoid: {
      double most = 0;
      for (const double w : memory) most = std::max(most, w * (1 - w));
      return scale * most;
    }
    default:
      return {};
  }
  return std::abs(scale) * projected_secular_norm(memory);
}

template class KernelChoice<float>;
template class KernelChoice<double>;

}  // namespace headroom::sim
