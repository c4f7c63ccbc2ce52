#include "verify/sensitivity_kernels.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "verify/sensitivity_kernels.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>
// After highway.h: it is included once per target.
#include <hwy/contrib/math/math-inl.h>

#include "verify/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::verify {
namespace HWY_NAMESPACE {

// Σ f(i) over vectors, in the logical lanes and then over the lanes in order.
template <class Real, class Term>
HWY_INLINE double lane_sum(std::size_t padded, Term term) {
  using L = Lanes<Real>;
  double value = 0;
  for (std::size_t begin = 0; begin < padded;) {
    const std::size_t end = padded - begin > chunk<Real> ? begin + chunk<Real> : padded;
    typename L::V sum[L::groups];
    for (auto& s : sum) s = L::zero();
    for (std::size_t i = begin; i < end; i += lane_group_of<Real>) {
      for (std::size_t g = 0; g < L::groups; ++g) sum[g] = hn::Add(sum[g], term(i + g * L::size));
    }
    value += L::total(sum);
    begin = end;
  }
  return value;
}

// ‖change‖₂ of exact(i), a vector of them; a dominant first token moves by minus the sum of the others.
template <class Real, class Change>
HWY_INLINE double change_norm(std::size_t padded, bool dominant, Change exact) {
  using L = Lanes<Real>;
  const typename L::Tag tag;
  const auto change = [&](std::size_t i) {
    const auto c = exact(i);
    return dominant && i == 0 ? hn::IfThenZeroElse(hn::FirstN(tag, 1), c) : c;
  };
  double sum = 0;
  double squares = 0;
  for (std::size_t begin = 0; begin < padded;) {
    const std::size_t end = padded - begin > chunk<Real> ? begin + chunk<Real> : padded;
    typename L::V sums[L::groups];
    typename L::V square_sums[L::groups];
    for (std::size_t g = 0; g < L::groups; ++g) sums[g] = square_sums[g] = L::zero();
    for (std::size_t i = begin; i < end; i += lane_group_of<Real>) {
      for (std::size_t g = 0; g < L::groups; ++g) {
        const auto c = change(i + g * L::size);
        sums[g] = hn::Add(sums[g], c);
        square_sums[g] = hn::MulAdd(c, c, square_sums[g]);
      }
    }
    sum += L::total(sums);
    squares += L::total(square_sums);
    begin = end;
  }
  // Below this, squares in single precision have lost digits or vanished.
  constexpr double least = 1e-28;
  if (sizeof(Real) < sizeof(double) && squares < least) {
    squares = 0;
    Real lanes[L::size];
    for (std::size_t i = 0; i < padded; i += L::size) {
      L::store(change(i), lanes);
      for (const Real c : lanes) squares += static_cast<double>(c) * static_cast<double>(c);
    }
  }
  return std::sqrt(squares + (dominant ? sum * sum : 0.0));
}

template <class Real>
double longest_component(const Real* direction, std::size_t padded) {
  using L = Lanes<Real>;
  auto most = L::zero();
  for (std::size_t i = 0; i < padded; i += L::size) most = hn::Max(most, hn::Abs(L::load(direction + i)));
  return static_cast<double>(hn::GetLane(hn::MaxOfLanes(typename L::Tag(), most)));
}

void softmax_row_kernel(const double* logits, std::size_t padded, double largest, double temperature, double* alpha) {
  const V shift = set(largest);
  const V inverse = set(1 / temperature);
  const double total = lane_sum<double>(padded, [&](std::size_t i) {
    const V e = hn::Exp(Tag(), hn::Mul(hn::Sub(load(logits + i), shift), inverse));
    hn::StoreU(e, Tag(), alpha + i);
    return e;
  });
  const V scale = set(1 / total);
  for (std::size_t i = 0; i < padded; i += kLanes) hn::StoreU(hn::Mul(load(alpha + i), scale), Tag(), alpha + i);
}

// exp of numbers that are not positive: in single precision to 3 ULP, and 0 where the result is no normal number.
HWY_INLINE Lanes<float>::V exp_down(Lanes<float>::V x) {
  using L = Lanes<float>;
  const L::Tag tag;
  const hn::RebindToSigned<L::Tag> integers;
  const auto inside = hn::Max(x, L::set(-87));
  const WholeNumber whole = nearest_whole(inside, std::numbers::log2e);
  // ln 2 in two parts: the first times a whole number is exact.
  auto part = hn::NegMulAdd(whole.value, L::set(0.693145751953125), inside);
  part = hn::NegMulAdd(whole.value, L::set(1.4286068203094172e-6), part);
  auto sum = L::set(1.0 / 720);
  for (const double coefficient : {1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0}) {
    sum = hn::MulAdd(sum, part, L::set(coefficient));
  }
  const auto scaled = hn::Add(hn::BitCast(integers, sum), whole.exponent);
  return hn::IfThenElseZero(hn::Ge(x, L::set(-87)), hn::BitCast(tag, scaled));
}
HWY_INLINE V exp_down(V x) { return hn::Exp(Tag(), x); }

// The same in Real, with the weights in double too.
template <class Real>
void softmax_to(const Real* depth, std::size_t padded, double temperature, Real* alpha, double* wide) {
  using L = Lanes<Real>;
  const auto inverse = L::set(1 / temperature);
  const double total = lane_sum<Real>(padded, [&](std::size_t i) {
    const auto e = exp_down(hn::Mul(L::load(depth + i), inverse));
    L::store(e, alpha + i);
    return e;
  });
  const auto scale = L::set(1 / total);
  for (std::size_t i = 0; i < padded; i += L::size) L::store(hn::Mul(L::load(alpha + i), scale), alpha + i);
  for (std::size_t i = 0; i < padded; ++i) wide[i] = static_cast<double>(alpha[i]);
  wide[0] = 0;
  const double others = lane_sum<double>(padded, [&](std::size_t i) { return load(wide + i); });
  wide[0] = 1 - others;
}

// expm1 where |x| ≤ 1/2, or with `tiny` |x| ≤ 1/100: the series to its last digit.
template <bool tiny>
HWY_INLINE Lanes<float>::V expm1_small(Lanes<float>::V x) {
  using L = Lanes<float>;
  if constexpr (tiny) {
    const auto sum = hn::MulAdd(hn::MulAdd(L::set(1.0 / 24), x, L::set(1.0 / 6)), x, L::set(0.5));
    return hn::Mul(hn::MulAdd(sum, x, L::set(1)), x);
  }
  auto sum = L::set(1.0 / 40320);
  for (const double coefficient : {1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0}) {
    sum = hn::MulAdd(sum, x, L::set(coefficient));
  }
  return hn::Mul(sum, x);
}
template <bool tiny>
HWY_INLINE V expm1_small(V x) {
  return hn::Expm1(Tag(), x);
}

template <bool tiny, class Real>
double small_change_by(const Real* alpha, const Real* direction, double scale, std::size_t padded, bool dominant,
                       Real* change) {
  using L = Lanes<Real>;
  const auto step = L::set(scale);
  const double mean = lane_sum<Real>(padded, [&](std::size_t i) {
    const auto growth = expm1_small<tiny>(hn::Mul(step, L::load(direction + i)));
    L::store(growth, change + i);
    return hn::Mul(L::load(alpha + i), growth);
  });
  const auto center = L::set(mean);
  const auto share = L::set(1 / (1 + mean));
  return change_norm<Real>(padded, dominant, [&](std::size_t i) {
    const auto excess = hn::Mul(hn::Sub(L::load(change + i), center), share);
    return hn::Mul(L::load(alpha + i), excess);
  });
}

template <class Real>
double small_change(const Real* alpha, const Real* direction, double scale, std::size_t padded, bool dominant,
                    bool tiny, Real* change) {
  return tiny ? small_change_by<true>(alpha, direction, scale, padded, dominant, change)
              : small_change_by<false>(alpha, direction, scale, padded, dominant, change);
}

template <class Real>
double large_change(const Real* depth, const Real* alpha, const Real* direction, double temperature, double scale,
                    std::size_t padded, bool dominant, Real* change) {
  using L = Lanes<Real>;
  const auto inverse = L::set(1 / temperature);
  const auto step = L::set(scale);
  auto most = L::set(std::numeric_limits<Real>::lowest());
  for (std::size_t i = 0; i < padded; i += L::size) {
    const auto z = hn::MulAdd(step, L::load(direction + i), hn::Mul(L::load(depth + i), inverse));
    L::store(z, change + i);
    most = hn::Max(most, z);
  }
  const auto shift = hn::Set(typename L::Tag(), hn::GetLane(hn::MaxOfLanes(typename L::Tag(), most)));
  const double total = lane_sum<Real>(padded, [&](std::size_t i) {
    const auto e = exp_down(hn::Sub(L::load(change + i), shift));
    L::store(e, change + i);
    return e;
  });
  const auto share = L::set(1 / total);
  return change_norm<Real>(padded, dominant,
                           [&](std::size_t i) { return hn::MulSub(L::load(change + i), share, L::load(alpha + i)); });
}

template <class Real>
SensitivityKernels<Real> step_kernels_of() {
  return {softmax_to<Real>, longest_component<Real>, small_change<Real>, large_change<Real>};
}

SensitivityKernels<float> single_step_kernels() { return step_kernels_of<float>(); }
SensitivityKernels<double> double_step_kernels() { return step_kernels_of<double>(); }

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::verify {
HWY_EXPORT(softmax_row_kernel);
HWY_EXPORT(single_step_kernels);
HWY_EXPORT(double_step_kernels);

void softmax_row(const double* logits, std::size_t padded, double largest, double temperature, double* alpha) {
  HWY_DYNAMIC_DISPATCH(softmax_row_kernel)(logits, padded, largest, temperature, alpha);
}

template <>
const SensitivityKernels<float>& sensitivity_kernels<float>() {
  static const SensitivityKernels<float> kernels = HWY_DYNAMIC_DISPATCH(single_step_kernels)();
  return kernels;
}
template <>
const SensitivityKernels<double>& sensitivity_kernels<double>() {
  static const SensitivityKernels<double> kernels = HWY_DYNAMIC_DISPATCH(double_step_kernels)();
  return kernels;
}

}  // namespace headroom::verify
#endif
