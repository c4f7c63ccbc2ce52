#include "verify/row_kernels.hpp"

#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "verify/row_kernels.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

// After highway.h: it is included once per target.
#include <hwy/contrib/math/math-inl.h>

#include "verify/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::verify {
namespace HWY_NAMESPACE {

// Sums sqrt(square(i))·weight(i) and notes a cancelled square where `counts` is not zero.
template <class Real, class Square, class Weight>
HWY_INLINE Sum root_sum(std::size_t padded, const Real* counts, Square square, Weight weight) {
  using L = Lanes<Real>;
  using VR = typename L::V;
  const typename L::Tag tag;
  double value = 0;
  VR worst = L::set(std::numeric_limits<Real>::infinity());
  for (std::size_t begin = 0; begin < padded;) {
    const std::size_t end = padded - begin > chunk<Real> ? begin + chunk<Real> : padded;
    VR sum[L::groups];
    for (VR& s : sum) s = L::zero();
    for (std::size_t i = begin; i < end; i += lane_group_of<Real>) {
      for (std::size_t g = 0; g < L::groups; ++g) {
        const std::size_t at = i + g * L::size;
        VR slack;
        const VR q = square(at, slack);
        const VR counted = L::load(counts + at);
        worst = hn::Min(worst, hn::IfThenElse(hn::Gt(counted, L::zero()), slack, worst));
        sum[g] = hn::MulAdd(weight(at, counted), root<Real>(q), sum[g]);
      }
    }
    value += L::total(sum);
    begin = end;
  }
  return {value, hn::GetLane(hn::MinOfLanes(tag, worst)) < 0};
}

template <class Real>
void add_scaled_to(double a, const Real* gram, Real* sx, std::size_t padded) {
  using L = Lanes<Real>;
  const auto scale = L::set(a);
  for (std::size_t i = 0; i < padded; i += L::size) {
    L::store(hn::MulAdd(scale, L::load(gram + i), L::load(sx + i)), sx + i);
  }
}

template <class Real>
void widen(double norm2_j, const Real* gram, Real* far, std::size_t padded) {
  using L = Lanes<Real>;
  const auto own = L::set(norm2_j);
  const auto two = L::set(2.0);
  for (std::size_t i = 0; i < padded; i += L::size) {
    L::store(hn::Max(L::load(far + i), hn::NegMulAdd(two, L::load(gram + i), own)), far + i);
  }
}

template <class Real>
Sum distance_sum(const RowArrays<Real>& row, double s2) {
  using L = Lanes<Real>;
  using VR = typename L::V;
  const VR constant = L::set(s2);
  const VR two = L::set(2.0);
  const VR share = L::set(-cancellation_share_of<Real>);
  const VR floor = L::set(-cancellation_share_of<Real> * s2);
  return root_sum(
      row.padded, row.outside,
      [&](std::size_t i, VR& slack) {
        const VR y2 = L::load(row.y2 + i);
        const VR cross = hn::Mul(two, L::load(row.alpha + i));
        const VR q = hn::NegMulAdd(cross, L::load(row.sx + i), hn::Add(constant, y2));
        slack = hn::MulAdd(share, y2, hn::Add(q, floor));
        return q;
      },
      [](std::size_t, VR counted) { return counted; });
}

template <class Real>
Sum expected_sum(const RowArrays<Real>& row, const ExpectedTerms& terms) {
  using L = Lanes<Real>;
  using VR = typename L::V;
  const VR a = L::set(terms.constant);
  const VR b = L::set(terms.cross);
  const VR c = L::set(terms.square);
  const VR share = L::set(-cancellation_share_of<Real>);
  const VR floor = L::set(-cancellation_share_of<Real> * terms.constant);
  return root_sum(
      row.padded, row.visible,
      [&](std::size_t i, VR& slack) {
        const VR own = hn::Mul(c, L::load(row.y2 + i));
        const VR q = hn::NegMulAdd(b, L::load(row.cy + i), hn::Add(a, own));
        slack = hn::MulAdd(share, own, hn::Add(q, floor));
        return q;
      },
      [](std::size_t, VR counted) { return counted; });
}

template <class Real>
Sum expected_upper_sum(const RowArrays<Real>& row, const ExpectedTerms& terms, double factor, const Real* spread) {
  using L = Lanes<Real>;
  using VR = typename L::V;
  const VR a = L::set(terms.constant);
  const VR b = L::set(terms.cross);
  const VR c = L::set(terms.square);
  const VR f = L::set(factor);
  const VR share = L::set(-cancellation_share_of<Real>);
  const VR floor = L::set(-cancellation_share_of<Real> * terms.constant);
  return root_sum(
      row.padded, row.visible,
      [&](std::size_t i, VR& slack) {
        const VR own = hn::Mul(c, L::load(row.y2 + i));
        const VR m2 = hn::Max(hn::NegMulAdd(b, L::load(row.cy + i), hn::Add(a, own)), L::zero());
        const VR q = hn::MulAdd(f, L::load(spread + i), m2);
        slack = hn::MulAdd(share, own, hn::Add(q, floor));
        return q;
      },
      [](std::size_t, VR counted) { return counted; });
}

template <class Real>
Sum spread_sum(const RowArrays<Real>& row, double s2, double mass) {
  using L = Lanes<Real>;
  using VR = typename L::V;
  const VR constant = L::set(s2 / (mass * mass));
  const VR cross = L::set(2.0 / mass);
  const VR share = L::set(-cancellation_share_of<Real>);
  const VR floor = L::set(-cancellation_share_of<Real> * (s2 / (mass * mass)));
  return root_sum(
      row.padded, row.outside,
      [&](std::size_t i, VR& slack) {
        const VR norm2 = L::load(row.norm2 + i);
        const VR q = hn::NegMulAdd(cross, L::load(row.sx + i), hn::Add(constant, norm2));
        slack = hn::MulAdd(share, norm2, hn::Add(q, floor));
        return q;
      },
      [&](std::size_t i, VR counted) { return hn::Mul(counted, L::load(row.alpha + i)); });
}

template <class Real>
OutsideMass outside_mass(const RowArrays<Real>& row, double mass) {
  using L = Lanes<Real>;
  using VR = typename L::V;
  OutsideMass result;
  const VR all = L::set(mass);
  for (std::size_t begin = 0; begin < row.padded;) {
    const std::size_t end = row.padded - begin > chunk<Real> ? begin + chunk<Real> : row.padded;
    VR deficit[L::groups];
    VR weight[L::groups];
    for (std::size_t g = 0; g < L::groups; ++g) deficit[g] = weight[g] = L::zero();
    for (std::size_t i = begin; i < end; i += lane_group_of<Real>) {
      for (std::size_t g = 0; g < L::groups; ++g) {
        const VR counted = L::load(row.outside + i + g * L::size);
        const VR alpha = L::load(row.alpha + i + g * L::size);
        deficit[g] = hn::MulAdd(counted, hn::Abs(hn::Sub(all, alpha)), deficit[g]);
        weight[g] = hn::MulAdd(counted, alpha, weight[g]);
      }
    }
    result.deficit += L::total(deficit);
    result.weight += L::total(weight);
    begin = end;
  }
  return result;
}

template <class Real>
Nearest separation(const RowArrays<Real>& row, Real* u) {
  using L = Lanes<Real>;
  using VR = typename L::V;
  const VR infinity = L::set(std::numeric_limits<Real>::infinity());
  const VR two = L::set(2.0);
  VR least = infinity;
  for (std::size_t i = 0; i < row.padded; i += L::size) {
    const VR alpha = L::load(row.alpha + i);
    const VR inner = hn::NegMulAdd(two, L::load(row.sx + i), hn::Mul(alpha, L::load(row.norm2 + i)));
    const VR value = hn::Mul(alpha, inner);
    L::store(value, u + i);
    least = hn::Min(least, hn::IfThenElse(hn::Gt(L::load(row.outside + i), L::zero()), value, infinity));
  }
  const Real smallest = hn::GetLane(hn::MinOfLanes(typename L::Tag(), least));
  const auto wanted = hn::Set(typename L::Tag(), smallest);
  for (std::size_t i = 0; i < row.padded; i += L::size) {
    const auto found = hn::And(hn::Eq(L::load(u + i), wanted), hn::Gt(L::load(row.outside + i), L::zero()));
    const auto lane = hn::FindFirstTrue(typename L::Tag(), found);
    if (lane >= 0) return {static_cast<double>(smallest), i + static_cast<std::size_t>(lane)};
  }
  return {static_cast<double>(smallest), row.padded};
}

template <class Real>
double farthest(const RowArrays<Real>& row, const Real* far) {
  using L = Lanes<Real>;
  using VR = typename L::V;
  VR most = L::zero();
  for (std::size_t i = 0; i < row.padded; i += L::size) {
    const VR value = hn::Add(L::load(row.norm2 + i), L::load(far + i));
    most = hn::Max(most, hn::IfThenElseZero(hn::Gt(L::load(row.outside + i), L::zero()), value));
  }
  return static_cast<double>(hn::GetLane(hn::MaxOfLanes(typename L::Tag(), most)));
}

template <class Real>
RowKernels<Real> row_kernels_of() {
  return {add_scaled_to<Real>, widen<Real>,        distance_sum<Real>, expected_sum<Real>, expected_upper_sum<Real>,
          spread_sum<Real>,    outside_mass<Real>, separation<Real>,   farthest<Real>};
}

RowKernels<float> single_row_kernels() { return row_kernels_of<float>(); }
RowKernels<double> double_row_kernels() { return row_kernels_of<double>(); }

void add_scaled_kernel(double a, const double* x, double* y, std::size_t padded) { add_scaled_to(a, x, y, padded); }

double square_sum_kernel(const double* x, std::size_t padded) {
  V sum[kGroups];
  for (V& s : sum) s = hn::Zero(Tag());
  for (std::size_t i = 0; i < padded; i += lane_group) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      const V value = load(x + i + g * kLanes);
      sum[g] = hn::MulAdd(value, value, sum[g]);
    }
  }
  return add_lanes(sum);
}

double entropy_kernel(const double* weights, std::size_t padded) {
  V sum[kGroups];
  for (V& s : sum) s = hn::Zero(Tag());
  for (std::size_t i = 0; i < padded; i += lane_group) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      const V a = load(weights + i + g * kLanes);
      const auto positive = hn::Gt(a, hn::Zero(Tag()));
      const V logarithm = hn::Log(Tag(), hn::IfThenElse(positive, a, set(1.0)));
      sum[g] = hn::NegMulAdd(a, logarithm, sum[g]);
    }
  }
  return add_lanes(sum);
}

XiSums xi_sums_kernel(const double* xi2, std::size_t count, std::size_t padded, double radius, double m2) {
  V sum[kGroups];
  V upper[kGroups];
  for (std::size_t g = 0; g < kGroups; ++g) sum[g] = upper[g] = hn::Zero(Tag());
  const V scale = set(m2 > 0 ? -1 / (2 * m2) : 0.0);
  const V reach = set(radius);
  const V safe = set(radius * (1 - 1e-12));
  XiSums result;
  for (std::size_t i = 0; i < padded; i += lane_group) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      const std::size_t at = i + g * kLanes;
      const auto meant = hn::FirstN(Tag(), count > at ? count - at : 0);
      const V xi = hn::Sqrt(hn::Max(load(xi2 + at), hn::Zero(Tag())));
      const V excess = hn::Max(hn::Sub(xi, reach), hn::Zero(Tag()));
      sum[g] = hn::Add(sum[g], xi);
      upper[g] = hn::Add(upper[g], hn::IfThenElseZero(meant, hn::Exp(Tag(), hn::Mul(hn::Mul(excess, excess), scale))));
      result.certain += hn::CountTrue(Tag(), hn::And(meant, hn::Lt(xi, safe)));
    }
  }
  result.xi = add_lanes(sum);
  result.upper = add_lanes(upper);
  return result;
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::verify {
HWY_EXPORT(single_row_kernels);
HWY_EXPORT(double_row_kernels);
HWY_EXPORT(add_scaled_kernel);
HWY_EXPORT(square_sum_kernel);
HWY_EXPORT(entropy_kernel);
HWY_EXPORT(xi_sums_kernel);

template <>
const RowKernels<float>& row_kernels<float>() {
  static const RowKernels<float> kernels = HWY_DYNAMIC_DISPATCH(single_row_kernels)();
  return kernels;
}
template <>
const RowKernels<double>& row_kernels<double>() {
  static const RowKernels<double> kernels = HWY_DYNAMIC_DISPATCH(double_row_kernels)();
  return kernels;
}

void add_scaled(double a, const double* x, double* y, std::size_t padded) {
  HWY_DYNAMIC_DISPATCH(add_scaled_kernel)(a, x, y, padded);
}
double square_sum(const double* x, std::size_t padded) { return HWY_DYNAMIC_DISPATCH(square_sum_kernel)(x, padded); }
double entropy(const double* weights, std::size_t padded) {
  return HWY_DYNAMIC_DISPATCH(entropy_kernel)(weights, padded);
}
XiSums xi_sums(const double* xi2, std::size_t count, std::size_t padded, double radius, double m2) {
  return HWY_DYNAMIC_DISPATCH(xi_sums_kernel)(xi2, count, padded, radius, m2);
}

}  // namespace headroom::verify
#endif
