#include "sim/elementwise_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/elementwise_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After the two above.
#include <hwy/contrib/math/math-inl.h>

#include "sim/vector_exp-inl.hpp"
#include "sim/vector_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::sim {
namespace HWY_NAMESPACE {
namespace {

/// After so many tokens a sum goes on in twice the precision of double.
template <class Real>
constexpr std::size_t block = 4096 / sizeof(Real);

/// Writes f(l) for every logit, then divides by their sum.
template <class Real, class F>
HWY_INLINE void normalized(const LogitRow<Real>& row, F f) {
  const Vector<Real> beyond = set<Real>(std::numeric_limits<double>::quiet_NaN());
  DoubleDouble sum;
  for (std::size_t i = 0; i < row.n; i += block<Real>) {
    LaneSum<Real> lanes;
    const auto apply = [&](Vector<Real> l, std::size_t g) {
      const Vector<Real> value = hn::IfThenElseZero(hn::Eq(l, l), f(l));
      lanes.add(g, value);
      return value;
    };
    transform_row<Real>(row.logits + i, std::min(block<Real>, row.n - i), beyond, row.weights + i, apply);
    sum = sum + DoubleDouble{lanes.total(), 0};
  }
  const Vector<Real> factor = set<Real>(1 / sum.hi);
  const auto divide = [&](Vector<Real> v, std::size_t) { return hn::Mul(v, factor); };
  transform_row<Real>(row.weights, row.n, beyond, row.weights, divide);
}

/// max |l|
template <class Real>
HWY_INLINE double largest_size(const LogitRow<Real>& row) {
  const VectorTag<Real> d;
  Vector<Real> most = hn::Zero(d);
  visit_row<Real>(row.logits, row.n, most, [&](Vector<Real> l, std::size_t) { most = hn::Max(most, hn::Abs(l)); });
  return static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, most)));
}

/// e^z of z = l·scale <= 0, with nothing to be relative to.
template <class Real>
HWY_INLINE ScaledExp<Real, true> plain_exp(const DoubleDouble& scale) {
  return {ExpFrame{}, scale};
}

template <class Real>
HWY_INLINE void sigmoid_row(const LogitRow<Real>& row) {
  const ScaledExp<Real, false> exp(ExpFrame{}, {1, 0});
  const Vector<Real> factor_hi = set<Real>(row.scale.hi);
  const Vector<Real> factor_lo = set<Real>(low_part<Real>(row.scale));
  const Vector<Real> bias_hi = set<Real>(row.bias.hi);
  const Vector<Real> bias_lo = set<Real>(low_part<Real>(row.bias));
  const Vector<Real> zero = set<Real>(0);
  const Vector<Real> one = set<Real>(1);
  transform_row<Real>(row.logits, row.n, zero, row.weights, [&](Vector<Real> l, std::size_t) {
    const Vector<Real> z = hn::Mul(l, factor_hi);
    const Vector<Real> x = hn::Add(z, bias_hi);
    const Vector<Real> back = hn::Sub(x, z);
    const Vector<Real> sum_error = hn::Add(hn::Sub(z, hn::Sub(x, back)), hn::Sub(bias_hi, back));
    const Vector<Real> scale_error = hn::MulAdd(l, factor_lo, product_error(l, factor_hi, z));
    const Vector<Real> error = hn::Add(hn::Add(sum_error, scale_error), bias_lo);
    const Vector<Real> size = hn::Abs(x);
    const auto positive = hn::Ge(x, zero);
    // Beyond, the weight is 0 or 1 whatever the error, which may be NaN.
    const auto near = hn::Lt(size, set<Real>(2 * ExpConstants<Real>::near));
    const Vector<Real> correction = hn::IfThenElseZero(near, hn::IfThenElse(positive, hn::Neg(error), error));
    const Vector<Real> e = exp(hn::Neg(size));
    const Vector<Real> against = hn::MulAdd(e, correction, e);
    return hn::Div(hn::IfThenElse(positive, one, against), hn::Add(one, against));
  });
}

template <class Real>
HWY_INLINE void softplus_row(const LogitRow<Real>& row, double largest) {
  const VectorTag<Real> d;
  const Vector<Real> zero = set<Real>(0);
  const Vector<Real> factor = set<Real>(row.scale.hi);
  const auto decay = plain_exp<Real>(row.scale);
  if (largest > 0) {
    const Vector<Real> unit = set<Real>(1 / std::max(1.0, largest * row.scale.hi));
    normalized(row, [&](Vector<Real> l) {
      const Vector<Real> rest = hn::Log1p(d, decay(hn::Neg(hn::Abs(l))));
      return hn::Mul(hn::MulAdd(hn::Max(l, zero), factor, rest), unit);
    });
    return;
  }
  // log(1 + e^z) = e^z·(log(1 + e^z)/e^z): the second factor lies between log 2 and 1.
  const ScaledExp<Real, true> exp(ExpFrame::at(largest, row.scale, ExpConstants<Real>::near), row.scale);
  normalized(row, [&](Vector<Real> l) {
    const Vector<Real> e = decay(l);
    const auto vanishing = hn::Eq(e, zero);
    const Vector<Real> ratio = hn::Div(hn::Log1p(d, e), hn::IfThenElse(vanishing, set<Real>(1), e));
    return hn::Mul(exp(l), hn::IfThenElse(vanishing, set<Real>(1), ratio));
  });
}

template <class Real>
HWY_INLINE void square_row(const LogitRow<Real>& row) {
  const double unit = 1 / std::max(1.0, largest_size(row) * row.scale.hi);
  const Vector<Real> one = set<Real>(unit * unit);
  const Vector<Real> factor = set<Real>(row.scale.hi * unit);
  normalized(row, [&](Vector<Real> l) {
    const Vector<Real> z = hn::Mul(l, factor);
    return hn::MulAdd(z, z, one);
  });
}

template <class Real>
HWY_INLINE void cosh_row(const LogitRow<Real>& row) {
  const ScaledExp<Real, true> rise(ExpFrame::at(largest_size(row), row.scale, ExpConstants<Real>::near), row.scale);
  const auto decay = plain_exp<Real>({2 * row.scale.hi, 2 * row.scale.lo});
  normalized(row, [&](Vector<Real> l) {
    const Vector<Real> size = hn::Abs(l);
    const Vector<Real> e = rise(size);
    return hn::MulAdd(e, decay(hn::Neg(size)), e);
  });
}

template <class Real>
bool any_masked(const Real* logits, std::size_t n) {
  const VectorTag<Real> d;
  const Vector<Real> mask = hn::Set(d, -std::numeric_limits<Real>::infinity());
  auto found = hn::Lt(mask, mask);
  visit_row<Real>(logits, n, hn::Zero(d), [&](Vector<Real> l, std::size_t) { found = hn::Or(found, hn::Eq(l, mask)); });
  return !hn::AllFalse(d, found);
}

template <class Real>
std::size_t sigmoid(const RowBlock<Real>& rows) {
  return for_sound_rows(rows, [](const LogitRow<Real>& row, double) { sigmoid_row(row); });
}
template <class Real>
std::size_t softplus(const RowBlock<Real>& rows) {
  return for_sound_rows(rows, [](const LogitRow<Real>& row, double largest) { softplus_row(row, largest); });
}
template <class Real>
std::size_t square(const RowBlock<Real>& rows) {
  return for_sound_rows(rows, [](const LogitRow<Real>& row, double) { square_row(row); });
}
template <class Real>
std::size_t cosh(const RowBlock<Real>& rows) {
  return for_sound_rows(rows, [](const LogitRow<Real>& row, double) { cosh_row(row); });
}

const ElementwiseKernels<float>& single() {
  static constexpr ElementwiseKernels<float> kernels = {sigmoid<float>, softplus<float>, square<float>, cosh<float>,
                                                        any_masked<float>};
  return kernels;
}
const ElementwiseKernels<double>& twice() {
  static constexpr ElementwiseKernels<double> kernels = {sigmoid<double>, softplus<double>, square<double>,
                                                         cosh<double>, any_masked<double>};
  return kernels;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace headroom::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::sim {

HWY_EXPORT(single);
HWY_EXPORT(twice);

template <>
const ElementwiseKernels<float>& elementwise_kernels<float>() {
  return HWY_DYNAMIC_DISPATCH(single)();
}
template <>
const ElementwiseKernels<double>& elementwise_kernels<double>() {
  return HWY_DYNAMIC_DISPATCH(twice)();
}

}  // namespace headroom::sim
#endif
