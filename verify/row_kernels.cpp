#include "verify/row_kernels.hpp"

#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "verify/row_kernels.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

#include "verify/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::verify {
namespace HWY_NAMESPACE {

// Sums sqrt(square(i))·weight(i) and notes a cancelled square where `counts` is not zero.
template <class Square, class Weight>
HWY_INLINE Sum root_sum(std::size_t padded, const double* counts, Square square, Weight weight) {
  const Tag tag;
  V sum[kGroups];
  for (V& s : sum) s = hn::Zero(tag);
  V worst = set(std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < padded; i += lane_group) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      const std::size_t at = i + g * kLanes;
      V slack;
      const V q = square(at, slack);
      const V counted = load(counts + at);
      worst = hn::Min(worst, hn::IfThenElse(hn::Gt(counted, hn::Zero(tag)), slack, worst));
      sum[g] = hn::MulAdd(weight(at, counted), hn::Sqrt(hn::Max(q, hn::Zero(tag))), sum[g]);
    }
  }
  return {add_lanes(sum), hn::GetLane(hn::MinOfLanes(tag, worst)) < 0};
}

void add_scaled_kernel(double a, const double* gram, double* sx, std::size_t padded) {
  const V scale = set(a);
  for (std::size_t i = 0; i < padded; i += kLanes) {
    hn::StoreU(hn::MulAdd(scale, load(gram + i), load(sx + i)), Tag(), sx + i);
  }
}

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

void widen_kernel(double norm2_j, const double* gram, double* far, std::size_t padded) {
  const V own = set(norm2_j);
  const V two = set(2.0);
  for (std::size_t i = 0; i < padded; i += kLanes) {
    hn::StoreU(hn::Max(load(far + i), hn::NegMulAdd(two, load(gram + i), own)), Tag(), far + i);
  }
}

Sum distance_sum_kernel(const RowArrays& row, double s2) {
  const V constant = set(s2);
  const V two = set(2.0);
  const V share = set(-cancellation_share);
  const V floor = set(-cancellation_share * s2);
  return root_sum(
      row.padded, row.outside,
      [&](std::size_t i, V& slack) {
        const V y2 = load(row.y2 + i);
        const V cross = hn::Mul(two, load(row.alpha + i));
        const V q = hn::NegMulAdd(cross, load(row.sx + i), hn::Add(constant, y2));
        slack = hn::MulAdd(share, y2, hn::Add(q, floor));
        return q;
      },
      [](std::size_t, V counted) { return counted; });
}

Sum expected_sum_kernel(const RowArrays& row, double constant, double cross, double square) {
  const V a = set(constant);
  const V b = set(cross);
  const V c = set(square);
  const V share = set(-cancellation_share);
  const V floor = set(-cancellation_share * constant);
  return root_sum(
      row.padded, row.visible,
      [&](std::size_t i, V& slack) {
        const V own = hn::Mul(c, load(row.y2 + i));
        const V q = hn::NegMulAdd(b, load(row.cy + i), hn::Add(a, own));
        slack = hn::MulAdd(share, own, hn::Add(q, floor));
        return q;
      },
      [](std::size_t, V counted) { return counted; });
}

Sum expected_upper_sum_kernel(const RowArrays& row, double constant, double cross, double square, double factor,
                              const double* spread) {
  const V a = set(constant);
  const V b = set(cross);
  const V c = set(square);
  const V f = set(factor);
  const V share = set(-cancellation_share);
  const V floor = set(-cancellation_share * constant);
  return root_sum(
      row.padded, row.visible,
      [&](std::size_t i, V& slack) {
        const V own = hn::Mul(c, load(row.y2 + i));
        const V m2 = hn::Max(hn::NegMulAdd(b, load(row.cy + i), hn::Add(a, own)), hn::Zero(Tag()));
        const V q = hn::MulAdd(f, load(spread + i), m2);
        slack = hn::MulAdd(share, own, hn::Add(q, floor));
        return q;
      },
      [](std::size_t, V counted) { return counted; });
}

Sum spread_sum_kernel(const RowArrays& row, double s2, double mass) {
  const V constant = set(s2 / (mass * mass));
  const V cross = set(2.0 / mass);
  const V share = set(-cancellation_share);
  const V floor = set(-cancellation_share * (s2 / (mass * mass)));
  return root_sum(
      row.padded, row.outside,
      [&](std::size_t i, V& slack) {
        const V norm2 = load(row.norm2 + i);
        const V q = hn::NegMulAdd(cross, load(row.sx + i), hn::Add(constant, norm2));
        slack = hn::MulAdd(share, norm2, hn::Add(q, floor));
        return q;
      },
      [&](std::size_t i, V counted) { return hn::Mul(counted, load(row.alpha + i)); });
}

OutsideMass outside_mass_kernel(const RowArrays& row, double mass) {
  const Tag tag;
  V deficit[kGroups];
  V weight[kGroups];
  for (std::size_t g = 0; g < kGroups; ++g) deficit[g] = weight[g] = hn::Zero(tag);
  const V all = set(mass);
  for (std::size_t i = 0; i < row.padded; i += lane_group) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      const V counted = load(row.outside + i + g * kLanes);
      const V alpha = load(row.alpha + i + g * kLanes);
      deficit[g] = hn::MulAdd(counted, hn::Abs(hn::Sub(all, alpha)), deficit[g]);
      weight[g] = hn::MulAdd(counted, alpha, weight[g]);
    }
  }
  return {add_lanes(deficit), add_lanes(weight)};
}

Nearest separation_kernel(const RowArrays& row, double* u) {
  const Tag tag;
  const V infinity = set(std::numeric_limits<double>::infinity());
  const V two = set(2.0);
  V least = infinity;
  for (std::size_t i = 0; i < row.padded; i += kLanes) {
    const V alpha = load(row.alpha + i);
    const V inner = hn::NegMulAdd(two, load(row.sx + i), hn::Mul(alpha, load(row.norm2 + i)));
    const V value = hn::Mul(alpha, inner);
    hn::StoreU(value, tag, u + i);
    least = hn::Min(least, hn::IfThenElse(hn::Gt(load(row.outside + i), hn::Zero(tag)), value, infinity));
  }
  Nearest nearest;
  nearest.u = hn::GetLane(hn::MinOfLanes(tag, least));
  while (nearest.token < row.padded && !(row.outside[nearest.token] > 0 && u[nearest.token] == nearest.u))
    ++nearest.token;
  return nearest;
}

double farthest_kernel(const RowArrays& row, const double* far) {
  const Tag tag;
  V most = hn::Zero(tag);
  for (std::size_t i = 0; i < row.padded; i += kLanes) {
    const V value = hn::Add(load(row.norm2 + i), load(far + i));
    most = hn::Max(most, hn::IfThenElseZero(hn::Gt(load(row.outside + i), hn::Zero(tag)), value));
  }
  return hn::GetLane(hn::MaxOfLanes(tag, most));
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::verify {
HWY_EXPORT(add_scaled_kernel);
HWY_EXPORT(square_sum_kernel);
HWY_EXPORT(widen_kernel);
HWY_EXPORT(distance_sum_kernel);
HWY_EXPORT(expected_sum_kernel);
HWY_EXPORT(expected_upper_sum_kernel);
HWY_EXPORT(spread_sum_kernel);
HWY_EXPORT(outside_mass_kernel);
HWY_EXPORT(separation_kernel);
HWY_EXPORT(farthest_kernel);

void add_scaled(double a, const double* gram, double* sx, std::size_t padded) {
  HWY_DYNAMIC_DISPATCH(add_scaled_kernel)(a, gram, sx, padded);
}
double square_sum(const double* x, std::size_t padded) { return HWY_DYNAMIC_DISPATCH(square_sum_kernel)(x, padded); }
void widen(double norm2_j, const double* gram, double* far, std::size_t padded) {
  HWY_DYNAMIC_DISPATCH(widen_kernel)(norm2_j, gram, far, padded);
}
Sum distance_sum(const RowArrays& row, double s2) { return HWY_DYNAMIC_DISPATCH(distance_sum_kernel)(row, s2); }
Sum expected_sum(const RowArrays& row, double constant, double cross, double square) {
  return HWY_DYNAMIC_DISPATCH(expected_sum_kernel)(row, constant, cross, square);
}
Sum expected_upper_sum(const RowArrays& row, double constant, double cross, double square, double factor,
                       const double* spread) {
  return HWY_DYNAMIC_DISPATCH(expected_upper_sum_kernel)(row, constant, cross, square, factor, spread);
}
Sum spread_sum(const RowArrays& row, double s2, double mass) {
  return HWY_DYNAMIC_DISPATCH(spread_sum_kernel)(row, s2, mass);
}
OutsideMass outside_mass(const RowArrays& row, double mass) {
  return HWY_DYNAMIC_DISPATCH(outside_mass_kernel)(row, mass);
}
Nearest separation(const RowArrays& row, double* u) { return HWY_DYNAMIC_DISPATCH(separation_kernel)(row, u); }
double farthest(const RowArrays& row, const double* far) { return HWY_DYNAMIC_DISPATCH(farthest_kernel)(row, far); }

}  // namespace headroom::verify
#endif
