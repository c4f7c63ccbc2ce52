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
WeightSums sums_of(const double* w, std::size_t n) {
  const VectorTag<double> d;
  Vector<double> first[LaneSum<double>::vectors], second[LaneSum<double>::vectors];
  for (auto& v : first) v = hn::Zero(d);
  for (auto& v : second) v = hn::Zero(d);
  LaneSum<double> others, squares;
  visit_row<double>(w, n, hn::Zero(d), [&](Vector<double> x, std::size_t g) {
    const Vector<double> smaller = hn::Min(first[g], x);
    first[g] = hn::Max(first[g], x);
    second[g] = hn::Max(second[g], smaller);
    others.add(g, smaller);
    squares.add(g, hn::Mul(smaller, smaller));
  });
  HWY_ALIGN double firsts[lanes], seconds[lanes];
  for (std::size_t g = 0; g < LaneSum<double>::vectors; ++g) {
    hn::Store(first[g], d, firsts + g * hn::Lanes(d));
    hn::Store(second[g], d, seconds + g * hn::Lanes(d));
  }
  WeightSums sums = {0, *std::max_element(seconds, seconds + lanes), others.total(), squares.total()};
  for (const double x : firsts) {
    const double smaller = std::min(sums.first, x);
    sums.first = std::max(sums.first, x);
    sums.second = std::max(sums.second, smaller);
    sums.others += smaller;
    sums.squares += smaller * smaller;
  }
  return sums;
}

PoleSums poles_of(const double* w, std::size_t n, double limit, double lambda) {
  const Vector<double> most = set<double>(limit);
  const Vector<double> at = set<double>(lambda);
  const Vector<double> one = set<double>(1);
  LaneSum<double> first, second;
  visit_row<double>(w, n, hn::Zero(VectorTag<double>()), [&](Vector<double> x, std::size_t g) {
    const Vector<double> pole = hn::IfThenElseZero(hn::Lt(x, most), hn::Div(one, hn::Sub(at, x)));
    const Vector<double> term = hn::Mul(x, pole);
    first.add(g, term);
    second.add(g, hn::Mul(term, pole));
  });
  return {first.total(), second.total()};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace headroom::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::sim {

HWY_EXPORT(sums_of);
HWY_EXPORT(poles_of);

WeightSums weight_sums(const double* w, std::size_t n) { return HWY_DYNAMIC_DISPATCH(sums_of)(w, n); }
PoleSums pole_sums(const double* w, std::size_t n, double limit, double lambda) {
  return HWY_DYNAMIC_DISPATCH(poles_of)(w, n, limit, lambda);
}

}  // namespace headroom::sim
#endif
