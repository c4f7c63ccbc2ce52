#include "sim/softmax_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/exp_sum.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/softmax_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After the two above.
#include "sim/vector_exp-inl.hpp"
#include "sim/vector_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::sim {
namespace HWY_NAMESPACE {
namespace {

/// Logits worked on between one look for the largest and the next: read again from the nearest cache.
template <class Real>
constexpr std::size_t block = 4096 / sizeof(Real);

/// Logits that are held in registers all at once.
template <class Real>
constexpr std::size_t tiny = 2 * logical_lanes<Real>;
constexpr std::size_t side_by_side = 3;

/// A row of at most so many blocks is kept as exponentials between its sweeps: half a megabyte.
constexpr std::size_t kept_blocks = 128;

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Real>
HWY_INLINE Vector<Real> masked() {
  return set<Real>(-infinity);
}

/// Of logits without a finite largest one: nothing but −∞, or what does not belong.
template <class Real>
RowOutcome without_finite(const Real* l, std::size_t n) {
  const bool all_masked = std::all_of(l, l + n, [](Real x) { return x == -std::numeric_limits<Real>::infinity(); });
  return all_masked ? RowOutcome::empty : RowOutcome::invalid;
}

/// The exponentials of a block go to `out`, unless null, and their sum is returned.
template <class Real, bool scaled>
HWY_INLINE double sum_block(const Real* l, std::size_t n, const ExpFrame& frame, const DoubleDouble& scale, Real* out) {
  const ScaledExp<Real, scaled> exp(frame, scale);
  LaneSum<Real> sum;
  if (out != nullptr) {
    transform_row<Real>(l, n, masked<Real>(), out, [&](Vector<Real> v, std::size_t g) {
      const Vector<Real> e = exp(v);
      sum.add(g, e);
      return e;
    });
  } else {
    visit_row<Real>(l, n, masked<Real>(), [&](Vector<Real> v, std::size_t g) { sum.add(g, exp(v)); });
  }
  return sum.total();
}

/// One block, relative to its own largest logit.
template <class Real, bool scaled>
HWY_INLINE RowOutcome exp_block(const Real* l, std::size_t n, const DoubleDouble& scale, Real* out, ExpSum& part) {
  const double largest = largest_of(l, n);
  if (!(largest < infinity)) return RowOutcome::invalid;
  if (largest == -infinity) {
    const RowOutcome outcome = without_finite(l, n);
    if (outcome == RowOutcome::empty && out != nullptr) std::fill_n(out, n, Real{0});
    part.sum = 0;
    return outcome;
  }
  part.frame = ExpFrame::at(largest, scale, ExpConstants<Real>::near);
  part.sum = sum_block<Real, scaled>(l, n, part.frame, scale, out);
  return part.sum < infinity ? RowOutcome::done : RowOutcome::invalid;
}

template <class Real>
HWY_INLINE void multiply(Real* w, std::size_t n, double factor) {
  const Vector<Real> f = set<Real>(factor);
  transform_row<Real>(w, n, f, w, [&](Vector<Real> v, std::size_t) { return hn::Mul(v, f); });
}

/// Some rows that fit a few registers each, side by side: one alone would wait for its own largest logit and sum.
/// Nothing is stored before the end; the sums run as in longer rows.
template <class Real, bool scaled>
HWY_INLINE void tiny_softmax(RowTask<Real>* rows) {
  const VectorTag<Real> d;
  constexpr std::size_t step = hn::MaxLanes(VectorTag<Real>());
  constexpr std::size_t count = tiny<Real> / step;
  Vector<Real> v[side_by_side][count];
  Vector<Real> largest[side_by_side];
  double sum[side_by_side];
  for (std::size_t r = 0; r < side_by_side; ++r) {
    const RowTask<Real>& row = rows[r];
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t rest = row.n - std::min(row.n, k * step);
      const Real* const at = row.logits + k * step;
      v[r][k] = rest >= step ? hn::LoadU(d, at) : load_first<Real>(at, rest, masked<Real>());
    }
    Vector<Real> most = v[r][0];
    for (std::size_t k = 1; k < count; ++k) most = hn::Max(v[r][k], most);
    largest[r] = hn::MaxOfLanes(d, most);
  }
  for (std::size_t r = 0; r < side_by_side; ++r) {
    const auto exp = ScaledExp<Real, scaled>::around(largest[r], rows[r].scale);
    LaneSum<Real> lanes;
    for (std::size_t k = 0; k < count; ++k) {
      v[r][k] = exp(v[r][k]);
      lanes.add(k % LaneSum<Real>::vectors, v[r][k]);
    }
    sum[r] = lanes.total();
  }
  for (std::size_t r = 0; r < side_by_side; ++r) {
    RowTask<Real>& row = rows[r];
    row.outcome = RowOutcome::done;
    bool empty = false;
    if (!(sum[r] < infinity)) {
      row.outcome = without_finite(row.logits, row.n);
      empty = row.outcome == RowOutcome::empty;
      if (empty) {
        for (auto& e : v[r]) e = hn::Zero(d);
      }
    }
    const Vector<Real> factor = set<Real>(empty ? 0 : 1 / sum[r]);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t rest = row.n - std::min(row.n, k * step);
      const Vector<Real> p = hn::Mul(v[r][k], factor);
      if (rest >= step) {
        hn::StoreU(p, d, row.weights + k * step);
      } else if (rest > 0) {
        store_first<Real>(p, row.weights + k * step, rest);
      }
    }
  }
}

/// A row of one block: nothing to bring together.
template <class Real, bool scaled>
HWY_INLINE RowOutcome short_softmax(const Real* l, std::size_t n, const DoubleDouble& scale, Real* w) {
  ExpSum part;
  const RowOutcome outcome = exp_block<Real, scaled>(l, n, scale, w, part);
  if (outcome == RowOutcome::done) multiply(w, n, 1 / part.sum);
  return outcome;
}

template <class Real, bool scaled>
RowOutcome kept_softmax(const Real* l, std::size_t n, const DoubleDouble& scale, bool extra, Real* w) {
  ExpSum parts[kept_blocks];
  ExpSum total = {{}, extra ? 1.0 : 0.0};
  bool empty = true;
  std::size_t b = 0;
  for (std::size_t i = 0; i < n; i += block<Real>, ++b) {
    const std::size_t size = std::min(block<Real>, n - i);
    const RowOutcome outcome = exp_block<Real, scaled>(l + i, size, scale, w + i, parts[b]);
    if (outcome == RowOutcome::invalid) return outcome;
    if (outcome == RowOutcome::empty) continue;
    empty = false;
    absorb(total, parts[b], scale);
  }
  b = 0;
  for (std::size_t i = 0; i < n; i += block<Real>, ++b) {
    if (parts[b].sum == 0) continue;
    const double ratio = frame_ratio(parts[b].frame, total.frame, scale);
    multiply(w + i, std::min(block<Real>, n - i), ratio / total.sum);
  }
  return empty ? RowOutcome::empty : RowOutcome::done;
}

/// Σe^z of a whole row, nothing written.
template <class Real, bool scaled>
RowOutcome sum_row(const Real* l, std::size_t n, const DoubleDouble& scale, ExpSum& total) {
  bool empty = true;
  for (std::size_t i = 0; i < n; i += block<Real>) {
    ExpSum part;
    const RowOutcome outcome =
        exp_block<Real, scaled>(l + i, std::min(block<Real>, n - i), scale, static_cast<Real*>(nullptr), part);
    if (outcome == RowOutcome::invalid) return outcome;
    if (outcome == RowOutcome::empty) continue;
    empty = false;
    absorb(total, part, scale);
  }
  return empty ? RowOutcome::empty : RowOutcome::done;
}

/// finish(logits, their softmax) of a row whose sum is known.
template <class Real, bool scaled, class Finish>
HWY_INLINE void write_row(const Real* l, std::size_t n, const DoubleDouble& scale, const ExpSum& total, Real* w,
                          Finish finish) {
  const ScaledExp<Real, scaled> exp(total.frame, scale);
  const Vector<Real> factor = set<Real>(1 / total.sum);
  transform_row<Real>(l, n, masked<Real>(), w,
                      [&](Vector<Real> v, std::size_t) { return finish(v, hn::Mul(exp(v), factor)); });
}

template <class Real, bool scaled>
RowOutcome softmax_row(const Real* l, std::size_t n, const DoubleDouble& scale, bool extra, Real* w) {
  if (n <= block<Real> && !extra) return short_softmax<Real, scaled>(l, n, scale, w);
  if (n <= kept_blocks * block<Real>) return kept_softmax<Real, scaled>(l, n, scale, extra, w);
  ExpSum total = {{}, extra ? 1.0 : 0.0};
  const RowOutcome outcome = sum_row<Real, scaled>(l, n, scale, total);
  if (outcome == RowOutcome::empty) std::fill_n(w, n, Real{0});
  if (outcome != RowOutcome::done) return outcome;
  write_row<Real, scaled>(l, n, scale, total, w, [](Vector<Real>, Vector<Real> p) { return p; });
  return outcome;
}

template <class Real, bool scaled>
RowOutcome self_adjust_row(const Real* l, std::size_t n, const DoubleDouble& scale, Real* w) {
  ExpSum total;
  const RowOutcome outcome = sum_row<Real, scaled>(l, n, scale, total);
  if (outcome != RowOutcome::done) return outcome;
  const Vector<Real> factor = set<Real>(scale.hi);
  write_row<Real, scaled>(l, n, scale, total, w,
                          [&](Vector<Real> v, Vector<Real> p) { return hn::Mul(scaled ? hn::Mul(v, factor) : v, p); });
  return outcome;
}

template <class Real>
HWY_INLINE double smallest_of(const Real* row, std::size_t n) {
  const VectorTag<Real> d;
  Vector<Real> least = hn::Set(d, std::numeric_limits<Real>::infinity());
  visit_row<Real>(row, n, least, [&](Vector<Real> v, std::size_t) { least = hn::Min(v, least); });
  return static_cast<double>(hn::GetLane(hn::MinOfLanes(d, least)));
}

template <class Real, bool scaled>
RowOutcome self_adjust_normalized_row(const Real* l, std::size_t n, const DoubleDouble& scale, Real* w) {
  ExpSum total;
  const RowOutcome outcome = sum_row<Real, scaled>(l, n, scale, total);
  if (outcome != RowOutcome::done) return outcome;
  // Halves, so that the range of any two numbers is finite.
  const double low = std::min(0.0, smallest_of(l, n)) / 2;
  const double range = std::max(0.0, largest_of(l, n)) / 2 - low;
  if (range == 0) {
    std::fill_n(w, n, Real{0});
    return outcome;
  }
  const Vector<Real> half = set<Real>(0.5);
  const Vector<Real> below = set<Real>(low);
  const Vector<Real> over = set<Real>(range);
  write_row<Real, scaled>(l, n, scale, total, w, [&](Vector<Real> v, Vector<Real> p) {
    return hn::Mul(hn::Div(hn::Sub(hn::Mul(v, half), below), over), p);
  });
  return outcome;
}

/// run<scaled>(row), without the cost of a scale of 1.
template <class Real, class Run>
HWY_INLINE void run_row(RowTask<Real>& row, Run run) {
  row.outcome = row.plain() ? run.template operator()<false>(row) : run.template operator()<true>(row);
}

template <class Real>
HWY_INLINE void run_softmax(RowTask<Real>& row, bool extra) {
  run_row(row, [&]<bool scaled>(const RowTask<Real>& r) {
    return softmax_row<Real, scaled>(r.logits, r.n, r.scale, extra, r.weights);
  });
}

template <class Real>
void softmax(std::span<RowTask<Real>> rows) {
  for (std::size_t r = 0; r < rows.size();) {
    const auto group = rows.subspan(r, std::min(rows.size() - r, side_by_side));
    const auto fits = [](const RowTask<Real>& row) { return row.n <= tiny<Real>; };
    const auto plain = [](const RowTask<Real>& row) { return row.plain(); };
    if (group.size() < side_by_side || !std::all_of(group.begin(), group.end(), fits)) {
      run_softmax(rows[r++], false);
      continue;
    }
    if (std::all_of(group.begin(), group.end(), plain)) {
      tiny_softmax<Real, false>(group.data());
    } else {
      tiny_softmax<Real, true>(group.data());
    }
    r += side_by_side;
  }
}
template <class Real>
void softmax1(std::span<RowTask<Real>> rows) {
  for (RowTask<Real>& row : rows) run_softmax(row, true);
}
template <class Real>
void self_adjust(std::span<RowTask<Real>> rows) {
  for (RowTask<Real>& row : rows) {
    run_row(row, []<bool scaled>(const RowTask<Real>& r) {
      return self_adjust_row<Real, scaled>(r.logits, r.n, r.scale, r.weights);
    });
  }
}
template <class Real>
void self_adjust_normalized(std::span<RowTask<Real>> rows) {
  for (RowTask<Real>& row : rows) {
    run_row(row, []<bool scaled>(const RowTask<Real>& r) {
      return self_adjust_normalized_row<Real, scaled>(r.logits, r.n, r.scale, r.weights);
    });
  }
}

const SoftmaxKernels<float>& single() {
  static constexpr SoftmaxKernels<float> kernels = {softmax<float>, softmax1<float>, self_adjust<float>,
                                                    self_adjust_normalized<float>};
  return kernels;
}
const SoftmaxKernels<double>& twice() {
  static constexpr SoftmaxKernels<double> kernels = {softmax<double>, softmax1<double>, self_adjust<double>,
                                                     self_adjust_normalized<double>};
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
const SoftmaxKernels<float>& softmax_kernels<float>() {
  return HWY_DYNAMIC_DISPATCH(single)();
}
template <>
const SoftmaxKernels<double>& softmax_kernels<double>() {
  return HWY_DYNAMIC_DISPATCH(twice)();
}

}  // namespace headroom::sim
#endif
