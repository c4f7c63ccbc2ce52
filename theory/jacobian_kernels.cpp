#include "theory/jacobian_kernels.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "theory/jacobian_kernels.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headroom::theory {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
constexpr std::size_t kLanes = 8;
using Tag = hn::CappedTag<double, kLanes>;
using V = hn::Vec<Tag>;
constexpr std::size_t kWidth = hn::MaxLanes(Tag());
constexpr std::size_t kGroups = kLanes / kWidth;

// One logical accumulator of eight lanes.
struct Lanes {
  V part[kGroups];

  Lanes() {
    for (V& p : part) p = hn::Zero(Tag());
  }
  double total() const {
    double lanes[kLanes];
    for (std::size_t g = 0; g < kGroups; ++g) hn::StoreU(part[g], Tag(), lanes + g * kWidth);
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  }
};

// Calls use(vector of weights, group) for all of them; the last vectors are filled up with zeros.
template <class Use>
HWY_INLINE void for_each_vector(const double* weights, std::size_t count, Use use) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t g = 0; g < kGroups; ++g) use(hn::LoadU(Tag(), weights + i + g * kWidth), g);
  }
  if (i == count) return;
  double last[kLanes] = {};
  std::copy_n(weights + i, count - i, last);
  for (std::size_t g = 0; g < kGroups; ++g) use(hn::LoadU(Tag(), last + g * kWidth), g);
}

template <class Use>
HWY_INLINE void for_all_but(std::span<const double> weights, std::size_t skip, Use use) {
  for_each_vector(weights.data(), skip, use);
  for_each_vector(weights.data() + skip + 1, weights.size() - skip - 1, use);
}

TopTwo top_two_kernel(std::span<const double> weights) {
  Lanes largest;
  Lanes second;
  for_each_vector(weights.data(), weights.size(), [&](V weight, std::size_t g) {
    second.part[g] = hn::Max(second.part[g], hn::Min(weight, largest.part[g]));
    largest.part[g] = hn::Max(weight, largest.part[g]);
  });
  TopTwo top;
  double lanes[kLanes];
  const auto offer = [&](const Lanes& all) {
    for (std::size_t g = 0; g < kGroups; ++g) hn::StoreU(all.part[g], Tag(), lanes + g * kWidth);
    for (const double weight : lanes) {
      top.second = std::max(top.second, std::min(weight, top.largest));
      top.largest = std::max(top.largest, weight);
    }
  };
  offer(largest);
  offer(second);
  return top;
}

Sums power_sums_kernel(std::span<const double> weights, std::size_t skip) {
  Lanes first;
  Lanes second;
  Lanes third;
  for_all_but(weights, skip, [&](V w, std::size_t g) {
    const V square = hn::Mul(w, w);
    first.part[g] = hn::Add(first.part[g], w);
    second.part[g] = hn::Add(second.part[g], square);
    third.part[g] = hn::MulAdd(square, w, third.part[g]);
  });
  return {first.total(), second.total(), third.total()};
}

Sums pole_sums_kernel(std::span<const double> weights, std::size_t skip, double lambda) {
  Lanes first;
  Lanes second;
  Lanes third;
  const V pole = hn::Set(Tag(), lambda);
  const V one = hn::Set(Tag(), 1.0);
  for_all_but(weights, skip, [&](V w, std::size_t g) {
    const V inverse = hn::Div(one, hn::Sub(pole, w));
    const V p = hn::Mul(w, inverse);
    const V square = hn::Mul(p, p);
    first.part[g] = hn::MulAdd(w, p, first.part[g]);
    second.part[g] = hn::Add(second.part[g], square);
    third.part[g] = hn::MulAdd(square, inverse, third.part[g]);
  });
  return {first.total(), second.total(), third.total()};
}

double resolvent_kernel(std::span<const double> weights, double lambda, std::span<double> vector) {
  const V pole = hn::Set(Tag(), lambda);
  V most = hn::Zero(Tag());
  std::size_t i = 0;
  for (; i + kWidth <= weights.size(); i += kWidth) {
    const V w = hn::LoadU(Tag(), weights.data() + i);
    const V component = hn::Div(w, hn::Sub(w, pole));
    hn::StoreU(component, Tag(), vector.data() + i);
    most = hn::Max(most, hn::Abs(component));
  }
  double largest = hn::GetLane(hn::MaxOfLanes(Tag(), most));
  for (; i < weights.size(); ++i) {
    vector[i] = weights[i] / (weights[i] - lambda);
    largest = std::max(largest, std::abs(vector[i]));
  }
  return largest;
}

void normalize_kernel(double factor, std::span<double> vector) {
  Lanes squares;
  const V by = hn::Set(Tag(), factor);
  for_each_vector(vector.data(), vector.size(), [&](V component, std::size_t g) {
    const V scaled = hn::Mul(component, by);
    squares.part[g] = hn::MulAdd(scaled, scaled, squares.part[g]);
  });
  const double scale = factor / std::sqrt(squares.total());
  for (double& component : vector) component *= scale;
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::theory
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::theory {
HWY_EXPORT(top_two_kernel);
HWY_EXPORT(power_sums_kernel);
HWY_EXPORT(pole_sums_kernel);
HWY_EXPORT(resolvent_kernel);
HWY_EXPORT(normalize_kernel);

TopTwo top_two(std::span<const double> weights) { return HWY_DYNAMIC_DISPATCH(top_two_kernel)(weights); }
Sums power_sums(std::span<const double> weights, std::size_t skip) {
  return HWY_DYNAMIC_DISPATCH(power_sums_kernel)(weights, skip);
}
Sums pole_sums(std::span<const double> weights, std::size_t skip, double lambda) {
  return HWY_DYNAMIC_DISPATCH(pole_sums_kernel)(weights, skip, lambda);
}
double resolvent(std::span<const double> weights, double lambda, std::span<double> vector) {
  return HWY_DYNAMIC_DISPATCH(resolvent_kernel)(weights, lambda, vector);
}
void normalize(double factor, std::span<double> vector) { HWY_DYNAMIC_DISPATCH(normalize_kernel)(factor, vector); }

}  // namespace headroom::theory
#endif
