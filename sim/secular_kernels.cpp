#include "sim/secular_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/secular_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After the two above.
#include "sim/vector_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::sim {
namespace HWY_NAMESPACE {
namespace {

constexpr std::size_t lanes = logical_lanes<double>;

/// Every lane keeps the largest weight it met out of its sums; of these all but one are added at the end.
WeightSums sums_of(const double* w, std::size_t n, double rho) {
  const VectorTag<double> d;
  const Vector<double> ratio = set<double>(rho);
  const Vector<double> one = set<double>(1);
  Vector<double> first[LaneSum<double>::vectors], second[LaneSum<double>::vectors];
  for (auto& v : first) v = hn::Zero(d);
  for (auto& v : second) v = hn::Zero(d);
  LaneSum<double> others, trace;
  visit_row<double>(w, n, hn::Zero(d), [&](Vector<double> x, std::size_t g) {
    const Vector<double> smaller = hn::Min(first[g], x);
    first[g] = hn::Max(first[g], x);
    second[g] = hn::Max(second[g], smaller);
    others.add(g, smaller);
    trace.add(g, hn::Mul(smaller, hn::NegMulAdd(ratio, smaller, one)));
  });
  HWY_ALIGN double firsts[lanes], seconds[lanes];
  for (std::size_t g = 0; g < LaneSum<double>::vectors; ++g) {
    hn::Store(first[g], d, firsts + g * hn::Lanes(d));
    hn::Store(second[g], d, seconds + g * hn::Lanes(d));
  }
  WeightSums sums = {0, *std::max_element(seconds, seconds + lanes), others.total(), trace.total()};
  for (const double x : firsts) {
    const double smaller = std::min(sums.first, x);
    sums.first = std::max(sums.first, x);
    sums.second = std::max(sums.second, smaller);
    sums.others += smaller;
    sums.trace += smaller * (1 - rho * smaller);
  }
  return sums;
}

double poles_of(const double* w, std::size_t n, double limit, double lambda) {
  const Vector<double> most = set<double>(limit);
  const Vector<double> at = set<double>(lambda);
  LaneSum<double> sum;
  visit_row<double>(w, n, hn::Zero(VectorTag<double>()), [&](Vector<double> x, std::size_t g) {
    sum.add(g, hn::IfThenElseZero(hn::Lt(x, most), hn::Div(x, hn::Sub(at, x))));
  });
  return sum.total();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace headroom::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::sim {

HWY_EXPORT(sums_of);
HWY_EXPORT(poles_of);

WeightSums weight_sums(const double* w, std::size_t n, double rho) { return HWY_DYNAMIC_DISPATCH(sums_of)(w, n, rho); }
double pole_sum(const double* w, std::size_t n, double limit, double lambda) {
  return HWY_DYNAMIC_DISPATCH(poles_of)(w, n, limit, lambda);
}

}  // namespace headroom::sim
#endif
