#include "sim/top_k_kernels.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/top_k_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After the two above.
#include "sim/vector_exp-inl.hpp"
#include "sim/vector_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::sim {
namespace HWY_NAMESPACE {
namespace {

/// So few that sorting them is quicker than another sweep.
constexpr std::size_t few = 32;

template <class Real>
Real median(Real a, Real b, Real c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// Keeps what is above the pivot, or with `below` what is below; returns how many.
template <class Real>
HWY_INLINE std::size_t keep_side(Real pivot, bool below, Real* values, std::size_t count) {
  const Vector<Real> p = hn::Set(VectorTag<Real>(), pivot);
  return keep_if<Real>(values, count, p, [&](Vector<Real> v) { return below ? hn::Lt(v, p) : hn::Gt(v, p); });
}

/// How many values are above one of them, and how many are not below it.
struct Counts {
  std::size_t above = 0;
  std::size_t reached = 0;
};
template <class Real>
HWY_INLINE Counts count_from(const Real* values, std::size_t count, Real value) {
  const VectorTag<Real> d;
  const Vector<Real> p = hn::Set(d, value);
  Counts counts;
  visit_row<Real>(values, count, hn::Set(d, std::numeric_limits<Real>::quiet_NaN()), [&](Vector<Real> v, std::size_t) {
    counts.above += hn::CountTrue(d, hn::Gt(v, p));
    counts.reached += hn::CountTrue(d, hn::Ge(v, p));
  });
  return counts;
}

/// The k-th largest of `count` >= k values, which are shuffled and overwritten (Hoare's find, side by side).
template <class Real>
HWY_INLINE Real kth_largest(Real* values, std::size_t count, std::size_t k) {
  while (count > few) {
    const Real pivot = median(values[0], values[count / 2], values[count - 1]);
    const Counts counts = count_from(values, count, pivot);
    if (k <= counts.above) {
      count = keep_side(pivot, false, values, count);
      continue;
    }
    if (k <= counts.reached) return pivot;
    k -= counts.reached;
    count = keep_side(pivot, true, values, count);
  }
  std::nth_element(values, values + (k - 1), values + count, std::greater<>());
  return values[k - 1];
}

/// Softmax of what is above the threshold and of the first `ties` that equal it.
template <class Real, bool scaled>
HWY_INLINE void write_selected(const LogitRow<Real>& row, const ExpFrame& frame, Real threshold, std::size_t ties) {
  const VectorTag<Real> d;
  const Vector<Real> limit = hn::Set(d, threshold);
  const ScaledExp<Real, scaled> exp(frame, row.scale);
  const auto sums = sums_of_row<Real, 1>(row.logits, row.n, limit, [&](Vector<Real> v, std::size_t g, auto& lanes) {
    const auto above = hn::Gt(v, limit);
    if (!hn::AllFalse(d, above)) lanes[0].add(g, hn::IfThenElseZero(above, exp(v)));
  });
  const double sum = static_cast<double>(ties) * static_cast<double>(hn::GetLane(exp(limit))) + sums[0];
  const Vector<Real> factor = set<Real>(1 / sum);
  const Vector<Real> one = hn::Set(d, Real{1});
  HWY_ALIGN Real value[hn::MaxLanes(VectorTag<Real>())];
  HWY_ALIGN Real chosen[hn::MaxLanes(VectorTag<Real>())];
  transform_row<Real>(row.logits, row.n, hn::Set(d, -std::numeric_limits<Real>::infinity()), row.weights,
                      [&](Vector<Real> v, std::size_t) {
                        if (hn::AllFalse(d, hn::Ge(v, limit))) return hn::Zero(d);
                        auto selected = hn::Gt(v, limit);
                        if (ties > 0 && !hn::AllFalse(d, hn::Eq(v, limit))) {
                          hn::Store(v, d, value);
                          for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
                            const bool tie = value[i] == threshold && ties > 0;
                            chosen[i] = static_cast<Real>(tie || value[i] > threshold);
                            ties -= tie;
                          }
                          selected = hn::Eq(hn::Load(d, chosen), one);
                        }
                        return hn::IfThenElseZero(selected, hn::Mul(exp(v), factor));
                      });
}

template <class Real>
std::size_t top_k(const RowBlock<Real>& rows, std::size_t k) {
  std::vector<Real> copy;
  return for_sound_rows(rows, [&](const LogitRow<Real>& row, double largest) {
    copy.resize(row.n + logical_lanes<Real>);
    std::copy_n(row.logits, row.n, copy.data());
    const Real threshold = kth_largest(copy.data(), row.n, std::min(k, row.n));
    const std::size_t ties = std::min(k, row.n) - count_from(row.logits, row.n, threshold).above;
    const ExpFrame frame = ExpFrame::at(largest, row.scale, ExpConstants<Real>::near);
    if (row.plain()) {
      write_selected<Real, false>(row, frame, threshold, ties);
    } else {
      write_selected<Real, true>(row, frame, threshold, ties);
    }
  });
}

const TopKKernels<float>& single() {
  static constexpr TopKKernels<float> kernels = {top_k<float>};
  return kernels;
}
const TopKKernels<double>& twice() {
  static constexpr TopKKernels<double> kernels = {top_k<double>};
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
const TopKKernels<float>& top_k_kernels<float>() {
  return HWY_DYNAMIC_DISPATCH(single)();
}
template <>
const TopKKernels<double>& top_k_kernels<double>() {
  return HWY_DYNAMIC_DISPATCH(twice)();
}

}  // namespace headroom::sim
#endif
