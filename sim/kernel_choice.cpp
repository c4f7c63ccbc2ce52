#include "sim/kernel_choice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/elementwise_kernels.hpp"
#include "sim/scaled_row.hpp"
#include "sim/secular.hpp"
#include "sim/simplex_kernels.hpp"
#include "sim/softmax_kernels.hpp"
#include "sim/top_k_kernels.hpp"

namespace headroom::sim {
namespace {

/// p^{2−α} on the support; beyond α = 2 capped where sums of a million still fit.
void entmax_curvature(std::vector<double>& p, double alpha) {
  if (alpha == 1.5) {
    for (double& w : p) w = std::sqrt(w);
  } else if (alpha == 2) {
    for (double& w : p) w = w > 0 ? 1 : 0;
  } else {
    for (double& w : p) w = w > 0 ? std::min(std::pow(w, 2 - alpha), 1e300) : 0;
  }
}

}  // namespace

template <class Real>
KernelChoice<Real>::KernelChoice(NormalizerForm form) : form_(std::move(form)) {}

/// −∞ is a token of weight 0 that nothing else of the row depends on.
template <class Real>
bool KernelChoice<Real>::takes_masked() const {
  switch (form_.kind) {
    case NormalizerKind::softmax:
    case NormalizerKind::softmax1:
    case NormalizerKind::entmax:
    case NormalizerKind::top_k:
      return !scales_with_length();
    case NormalizerKind::sigmoid:
      return form_.bias.has_value();
    default:
      return false;
  }
}

template <class Real>
DoubleDouble KernelChoice<Real>::scale_of(std::size_t n, double temperature) const {
  return to_factor(form_.scale.of(n) / temperature);
}

template <class Real>
bool KernelChoice<Real>::prepare(RowTask<Real>& task, double temperature) const {
  if (!takes_masked() && elementwise_kernels<Real>().any_masked(task.logits, task.n)) return false;
  if (scales_with_length()) task.scale = scale_of(task.n, temperature);
  if (form_.kind == NormalizerKind::sigmoid) {
    task.bias = form_.bias ? DoubleDouble{*form_.bias, 0} : to_factor(-std::log(static_cast<long double>(task.n)));
  }
  // Well inside the range of Real, products with logits and their errors stay finite.
  constexpr bool single = sizeof(Real) == sizeof(float);
  constexpr double most = single ? 1e25 : 1e200;
  return task.scale.hi > 1 / most && task.scale.hi < most && std::abs(task.bias.hi) < most;
}

template <class Real>
std::size_t KernelChoice<Real>::scratch(std::size_t n) const {
  constexpr std::size_t beyond = 16;
  return form_.kind == NormalizerKind::entmax ? n + beyond : 0;
}

template <class Real>
void KernelChoice<Real>::run(std::span<RowTask<Real>> tasks, double* scratch) const {
  if (tasks.empty()) return;
  switch (form_.kind) {
    case NormalizerKind::softmax:
      return softmax_kernels<Real>().softmax(tasks);
    case NormalizerKind::softmax1:
      return softmax_kernels<Real>().softmax1(tasks);
    case NormalizerKind::self_adjust:
      return softmax_kernels<Real>().self_adjust(tasks);
    case NormalizerKind::self_adjust_normalized:
      return softmax_kernels<Real>().self_adjust_normalized(tasks);
    case NormalizerKind::entmax:
      if (form_.alpha == 2) return simplex_kernels<Real>().sparsemax(tasks, scratch);
      if (form_.alpha == 1.5) return simplex_kernels<Real>().entmax15(tasks, scratch);
      return simplex_kernels<Real>().entmax(tasks, form_.alpha, scratch);
    case NormalizerKind::top_k:
      return top_k_kernels<Real>().top_k(tasks, form_.k);
    case NormalizerKind::sigmoid:
      return elementwise_kernels<Real>().sigmoid(tasks);
    case NormalizerKind::power:
      break;
  }
  switch (form_.function) {
    case PowerFunction::softplus:
      return elementwise_kernels<Real>().softplus(tasks);
    case PowerFunction::square:
      return elementwise_kernels<Real>().square(tasks);
    case PowerFunction::cosh:
      return elementwise_kernels<Real>().cosh(tasks);
  }
}

template <class Real>
WeightError KernelChoice<Real>::worst_error() const {
  constexpr bool single = sizeof(Real) == sizeof(float);
  // The threshold of entmax and, near α = 1, the logarithm of a weight are in float64.
  if (form_.kind == NormalizerKind::entmax) return {4, single ? 1e-14 : 4e-15};
  // e^z is 0 below the smallest normal number, which sasoftmax multiplies by z.
  return {4, single ? 1e-29 : 1e-299};
}

template <class Real>
std::optional<double> KernelChoice<Real>::jacobian_norm(std::span<const Real> weights, std::size_t n,
                                                        double temperature, std::vector<double>& memory) const {
  const double scale = finite_ratio(static_cast<double>(form_.scale.of(n)), temperature);
  memory.assign(weights.begin(), weights.end());
  switch (form_.kind) {
    case NormalizerKind::softmax:
    case NormalizerKind::top_k:
      break;
    case NormalizerKind::softmax1:
      return scale * secular_norm(memory, 1, std::max(0.0, 1 - sum_of(memory).hi));
    case NormalizerKind::entmax:
      entmax_curvature(memory, form_.alpha);
      break;
    case NormalizerKind::sigmoid: {
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
