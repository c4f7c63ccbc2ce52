#include "verify/sensitivity_kernels.hpp"

#include <cmath>
#include <limits>

#include "verify/row_kernels.hpp"

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

// Σ f(i) over vectors, in eight logical lanes and then over the lanes in order.
template <class Term>
HWY_INLINE double lane_sum(std::size_t padded, Term term) {
  V sum[kGroups];
  for (V& s : sum) s = hn::Zero(Tag());
  for (std::size_t i = 0; i < padded; i += lane_group) {
    for (std::size_t g = 0; g < kGroups; ++g) sum[g] = hn::Add(sum[g], term(i + g * kLanes));
  }
  return add_lanes(sum);
}

HWY_INLINE double norm_with_balanced_top(double* change, std::size_t padded, std::size_t top) {
  if (top < padded) {
    change[top] = 0;
    change[top] = -lane_sum(padded, [&](std::size_t i) { return load(change + i); });
  }
  return std::sqrt(lane_sum(padded, [&](std::size_t i) {
    const V c = load(change + i);
    return hn::Mul(c, c);
  }));
}

double longest_component_kernel(const double* direction, std::size_t padded) {
  V most = hn::Zero(Tag());
  for (std::size_t i = 0; i < padded; i += kLanes) most = hn::Max(most, hn::Abs(load(direction + i)));
  return hn::GetLane(hn::MaxOfLanes(Tag(), most));
}

void softmax_row_kernel(const double* logits, std::size_t padded, double largest, double temperature, double* alpha) {
  const V shift = set(largest);
  const V inverse = set(1 / temperature);
  const double total = lane_sum(padded, [&](std::size_t i) {
    const V e = hn::Exp(Tag(), hn::Mul(hn::Sub(load(logits + i), shift), inverse));
    hn::StoreU(e, Tag(), alpha + i);
    return e;
  });
  const V scale = set(1 / total);
  for (std::size_t i = 0; i < padded; i += kLanes) hn::StoreU(hn::Mul(load(alpha + i), scale), Tag(), alpha + i);
}

double small_change_kernel(const double* alpha, const double* direction, double scale, std::size_t padded,
                           std::size_t top, double* change) {
  const V step = set(scale);
  const double mean = lane_sum(padded, [&](std::size_t i) {
    const V growth = hn::Expm1(Tag(), hn::Mul(step, load(direction + i)));
    hn::StoreU(growth, Tag(), change + i);
    return hn::Mul(load(alpha + i), growth);
  });
  const V center = set(mean);
  const V share = set(1 / (1 + mean));
  for (std::size_t i = 0; i < padded; i += kLanes) {
    const V excess = hn::Mul(hn::Sub(load(change + i), center), share);
    hn::StoreU(hn::Mul(load(alpha + i), excess), Tag(), change + i);
  }
  return norm_with_balanced_top(change, padded, top);
}

double large_change_kernel(const double* logits, const double* alpha, const double* direction, double temperature,
                           double scale, std::size_t padded, std::size_t top, double* change) {
  const V inverse = set(1 / temperature);
  const V step = set(scale);
  V most = set(std::numeric_limits<double>::lowest());
  for (std::size_t i = 0; i < padded; i += kLanes) {
    const V z = hn::MulAdd(step, load(direction + i), hn::Mul(load(logits + i), inverse));
    hn::StoreU(z, Tag(), change + i);
    most = hn::Max(most, z);
  }
  const V shift = set(hn::GetLane(hn::MaxOfLanes(Tag(), most)));
  const double total = lane_sum(padded, [&](std::size_t i) {
    const V e = hn::Exp(Tag(), hn::Sub(load(change + i), shift));
    hn::StoreU(e, Tag(), change + i);
    return e;
  });
  const V share = set(1 / total);
  for (std::size_t i = 0; i < padded; i += kLanes) {
    hn::StoreU(hn::MulSub(load(change + i), share, load(alpha + i)), Tag(), change + i);
  }
  return norm_with_balanced_top(change, padded, top);
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::verify {
HWY_EXPORT(longest_component_kernel);
HWY_EXPORT(softmax_row_kernel);
HWY_EXPORT(small_change_kernel);
HWY_EXPORT(large_change_kernel);

double longest_component(const double* direction, std::size_t padded) {
  return HWY_DYNAMIC_DISPATCH(longest_component_kernel)(direction, padded);
}
void softmax_row(const double* logits, std::size_t padded, double largest, double temperature, double* alpha) {
  HWY_DYNAMIC_DISPATCH(softmax_row_kernel)(logits, padded, largest, temperature, alpha);
}
double small_change(const double* alpha, const double* direction, double scale, std::size_t padded, std::size_t top,
                    double* change) {
  return HWY_DYNAMIC_DISPATCH(small_change_kernel)(alpha, direction, scale, padded, top, change);
}
double large_change(const double* logits, const double* alpha, const double* direction, double temperature,
                    double scale, std::size_t padded, std::size_t top, double* change) {
  return HWY_DYNAMIC_DISPATCH(large_change_kernel)(logits, alpha, direction, temperature, scale, padded, top, change);
}

}  // namespace headroom::verify
#endif
