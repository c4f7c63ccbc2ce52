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

template <class Real>
bool KernelChoice<Real>::takes_masked() const {
  switch (form_.kind) {
    case NormalizerKind::softmax:
    case NormalizerKind::softmax1:
    case NormalizerKind::entmax:
    case NormalizerKind::top_k:
    case NormalizerKind::sigmoid:
      return !depends_on_length();
    default:
      return false;
  }
}

template <class Real>
bool KernelChoice<Real>::depends_on_length() const {
  return form_.scale.varies() || (form_.kind == NormalizerKind::sigmoid && !form_.bias);
}

template <class Real>
bool KernelChoice<Real>::prepare(RowBlock<Real>& rows, std::size_t n, double temperature) const {
  rows.scale = to_factor(form_.scale.of(n) / temperature);
  if (form_.kind == NormalizerKind::sigmoid) {
    rows.bias = form_.bias ? DoubleDouble{*form_.bias, 0} : to_factor(-std::log(static_cast<long double>(n)));
  }
  // Well inside the range of Real, products with logits and their errors stay finite.
  constexpr bool single = sizeof(Real) == sizeof(float);
  constexpr double most = single ? 1e25 : 1e200;
  return rows.scale.hi > 1 / most && rows.scale.hi < most && std::abs(rows.bias.hi) < most;
}

template <class Real>
std::size_t KernelChoice<Real>::run(const RowBlock<Real>& rows, std::vector<double>& scratch) const {
  if (form_.kind == NormalizerKind::entmax) {
    std::size_t longest = 0;
    for (std::size_t r = 0; r < rows.rows; ++r) longest = std::max(longest, rows.ranges[r].size());
    constexpr std::size_t beyond = 16;
    scratch.resize(std::max(scratch.size(), longest + beyond));
  }
  switch (form_.kind) {
    case NormalizerKind::softmax:
      return softmax_kernels<Real>().softmax(rows);
    case NormalizerKind::softmax1:
      return softmax_kernels<Real>().softmax1(rows);
    case NormalizerKind::self_adjust:
      return softmax_kernels<Real>().self_adjust(rows);
    case NormalizerKind::self_adjust_normalized:
      return softmax_kernels<Real>().self_adjust_normalized(rows);
    case NormalizerKind::entmax:
      if (form_.alpha == 2) return simplex_kernels<Real>().sparsemax(rows, scratch.data());
      if (form_.alpha == 1.5) return simplex_kernels<Real>().entmax15(rows, scratch.data());
      return simplex_kernels<Real>().entmax(rows, form_.alpha, scratch.data());
    case NormalizerKind::top_k:
      return top_k_kernels<Real>().top_k(rows, form_.k);
    case NormalizerKind::sigmoid:
      return elementwise_kernels<Real>().sigmoid(rows);
    case NormalizerKind::power:
      break;
  }
  switch (form_.function) {
    case PowerFunction::softplus:
      return elementwise_kernels<Real>().softplus(rows);
    case PowerFunction::square:
      return elementwise_kernels<Real>().square(rows);
    case PowerFunction::cosh:
      break;
  }
  return elementwise_kernels<Real>().cosh(rows);
}

template <class Real>
WeightError KernelChoice<Real>::worst_error() const {
  constexpr bool single = sizeof(Real) == sizeof(float);
  constexpr double sum = single ? 31 : 35;  // additions in a lane, and in float64 of lanes
  // The threshold of entmax and, near α = 1, the logarithm of a weight are in float64.
  if (form_.kind == NormalizerKind::entmax) return {4, sum, single ? 1e-14 : 4e-15};
  // e^z is 0 below the smallest normal number, which sasoftmax multiplies by z.
  return {4, sum, single ? 1e-29 : 1e-299};
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
