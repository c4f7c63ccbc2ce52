#include "sim/softmax_kernels.hpp"

#include <hwy/cache_control.h>
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

/// How many rows or blocks before they are needed logits, and the room for their weights, are asked for from memory.
constexpr std::size_t rows_ahead = 3;

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Real>
HWY_INLINE Vector<Real> masked() {
  return set<Real>(-infinity);
}

/// What is asked for from memory while something else is worked on; nothing where it is null.
template <class Real>
struct Ahead {
  const Real* logits = nullptr;
  const Real* weights = nullptr;

  Ahead() = default;
  Ahead(const Real* l, const Real* w) : logits(l), weights(w == l ? nullptr : w) {}

  HWY_INLINE void fetch(std::size_t i) const {
    if (logits != nullptr) hwy::Prefetch(logits + i);
    if (weights != nullptr) hwy::Prefetch(weights + i);
  }
};

/// The exponentials of some logits to `out`, unless null; returns their sum. Meanwhile as many others are asked for.
template <class Real, bool scaled>
HWY_INLINE double sum_exponentials(const Real* l, std::size_t n, const ScaledExp<Real, scaled>& exp, Real* out,
                                   const Ahead<Real>& ahead) {
  LaneSum<Real> sum;
  std::size_t i = 0;
  const auto next = [&](Vector<Real> v, std::size_t g) {
    ahead.fetch(i);
    i += hn::Lanes(VectorTag<Real>());
    const Vector<Real> e = exp(v);
    sum.add(g, e);
    return e;
  };
  if (out != nullptr) {
    transform_row<Real>(l, n, masked<Real>(), out, next);
  } else {
    visit_row<Real>(l, n, masked<Real>(), next);
  }
  return sum.total();
}

template <class Real>
HWY_INLINE void multiply(Real* w, std::size_t n, double factor) {
  const Vector<Real> f = set<Real>(factor);
  transform_row<Real>(w, n, f, w, [&](Vector<Real> v, std::size_t) { return hn::Mul(v, f); });
}

/// Some rows that fit a few registers each, side by side: one alone would wait for its own largest logit and sum.
/// Nothing is stored before the end; the sums run as in longer rows. Returns how many of the rows it did.
template <class Real, bool scaled>
HWY_INLINE std::size_t tiny_softmax(const RowBlock<Real>& rows, std::size_t first) {
  const VectorTag<Real> d;
  constexpr std::size_t step = hn::MaxLanes(VectorTag<Real>());
  constexpr std::size_t count = tiny<Real> / step;
  Vector<Real> v[side_by_side][count];
  Vector<Real> largest[side_by_side];
  double sum[side_by_side];
  LogitRow<Real> row[side_by_side];
  for (std::size_t r = 0; r < side_by_side; ++r) {
    row[r] = rows.row(first + r);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t rest = row[r].n - std::min(row[r].n, k * step);
      const Real* const at = row[r].logits + k * step;
      v[r][k] = rest >= step ? hn::LoadU(d, at) : load_first<Real>(at, rest, masked<Real>());
    }
    Vector<Real> most = v[r][0];
    for (std::size_t k = 1; k < count; ++k) most = hn::Max(v[r][k], most);
    largest[r] = hn::MaxOfLanes(d, most);
  }
  for (std::size_t r = 0; r < side_by_side; ++r) {
    const auto exp = ScaledExp<Real, scaled>::around(largest[r], rows.scale);
    LaneSum<Real> lanes;
    for (std::size_t k = 0; k < count; ++k) {
      v[r][k] = exp(v[r][k]);
      lanes.add(k % LaneSum<Real>::vectors, v[r][k]);
    }
    sum[r] = lanes.total();
  }
  for (std::size_t r = 0; r < side_by_side; ++r) {
    if (!(sum[r] < infinity)) return r;
    const Vector<Real> factor = set<Real>(1 / sum[r]);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t rest = row[r].n - std::min(row[r].n, k * step);
      const Vector<Real> p = hn::Mul(v[r][k], factor);
      Real* const to = row[r].weights + k * step;
      if (rest >= step) {
        hn::StoreU(p, d, to);
      } else if (rest > 0) {
        store_first<Real>(p, to, rest);
      }
    }
  }
  return side_by_side;
}

/// Rows [first, last) of at most a block each, nothing to bring together. Returns how many it did.
template <class Real, bool scaled>
HWY_INLINE std::size_t short_softmax(const RowBlock<Real>& rows, std::size_t first, std::size_t last) {
  LogitRow<Real> row = rows.row(first);
  LogitRow<Real> before;
  double sum_before = 1;
  Vector<Real> largest = largest_lanes(row.logits, row.n);
  std::size_t r = first;
  while (r < last) {
    LogitRow<Real> next;
    Vector<Real> next_largest = largest;
    if (r + 1 < last) {
      next = rows.row(r + 1);
      next_largest = largest_lanes(next.logits, next.n);
    }
    if (!(std::abs(static_cast<double>(hn::GetLane(largest))) < infinity)) break;
    Ahead<Real> ahead;
    if (rows.far && r + rows_ahead < last) {
      const LogitRow<Real> later = rows.row(r + rows_ahead);
      ahead = {later.logits, later.weights};
    }
    const auto exp = ScaledExp<Real, scaled>::around(largest, rows.scale);
    const double sum = sum_exponentials(row.logits, row.n, exp, row.weights, ahead);
    if (!(sum < infinity)) break;
    multiply(before.weights, before.n, 1 / sum_before);
    before = row;
    sum_before = sum;
    row = next;
    largest = next_largest;
    ++r;
  }
  multiply(before.weights, before.n, 1 / sum_before);
  return r - first;
}

/// Whether logits without a finite largest one are all masked, rather than no logits.
template <class Real>
bool all_masked(const Real* l, std::size_t n) {
  return std::all_of(l, l + n, [](Real x) { return x == -std::numeric_limits<Real>::infinity(); });
}

/// Σe^z of a row, block after block relative to its own largest, each put to take(start, size, its sum). The
/// exponentials go to `exps`, unless null, but for those of blocks of masked tokens alone. False where the row has no
/// finite logit or something that is none.
template <class Real, bool scaled, class Take>
HWY_INLINE bool sum_blocks(const LogitRow<Real>& row, Real* exps, ExpSum& total, Take take) {
  bool any = false;
  Vector<Real> largest = largest_lanes(row.logits, std::min(block<Real>, row.n));
  for (std::size_t i = 0; i < row.n; i += block<Real>) {
    const Real* const l = row.logits + i;
    const std::size_t size = std::min(block<Real>, row.n - i);
    const Vector<Real> next_largest = largest_lanes(l + size, std::min(block<Real>, row.n - i - size));
    ExpSum part;
    if (static_cast<double>(hn::GetLane(largest)) == -infinity) {
      if (!all_masked(l, size)) return false;
    } else {
      Ahead<Real> ahead;
      if (row.n - i >= (rows_ahead + 1) * block<Real>) {
        ahead = {l + rows_ahead * block<Real>, exps == nullptr ? l : exps + i};
        if (ahead.weights != nullptr) ahead.weights += rows_ahead * block<Real>;
      }
      const auto exp = ScaledExp<Real, scaled>::around(largest, row.scale);
      part = {exp.frame(), sum_exponentials(l, size, exp, exps == nullptr ? exps : exps + i, ahead)};
      if (!(part.sum < infinity)) return false;
      any = true;
      absorb(total, part, row.scale);
    }
    take(i, size, part);
    largest = next_largest;
  }
  return any;
}

/// A row whose exponentials are kept, as weights to be, until their sum is known.
template <class Real, bool scaled>
bool kept_softmax(const LogitRow<Real>& row, double extra) {
  ExpSum parts[kept_blocks];
  ExpSum total = {{}, extra};
  const auto keep = [&](std::size_t i, std::size_t, const ExpSum& part) { parts[i / block<Real>] = part; };
  if (!sum_blocks<Real, scaled>(row, row.weights, total, keep)) return false;
  for (std::size_t i = 0; i < row.n; i += block<Real>) {
    const std::size_t size = std::min(block<Real>, row.n - i);
    const ExpSum& part = parts[i / block<Real>];
    if (part.sum == 0) {
      std::fill_n(row.weights + i, size, Real{0});
    } else {
      multiply(row.weights + i, size, frame_ratio(part.frame, total.frame, row.scale) / total.sum);
    }
  }
  return true;
}

/// Σe^z of a whole row, nothing written. False as for sum_blocks.
template <class Real, bool scaled>
bool sum_row(const LogitRow<Real>& row, ExpSum& total) {
  return sum_blocks<Real, scaled>(row, static_cast<Real*>(nullptr), total,
                                  [](std::size_t, std::size_t, const ExpSum&) {});
}

/// Writes finish(logits, their softmax) of a row whose sum is known.
template <class Real, bool scaled, class Finish>
HWY_INLINE void write_row(const LogitRow<Real>& row, const ExpSum& total, Finish finish) {
  const ScaledExp<Real, scaled> exp(total.frame, row.scale);
  const Vector<Real> factor = set<Real>(1 / total.sum);
  transform_row<Real>(row.logits, row.n, masked<Real>(), row.weights,
                      [&](Vector<Real> v, std::size_t) { return finish(v, hn::Mul(exp(v), factor)); });
}

/// A row of any length but a short one.
template <class Real, bool scaled>
bool long_softmax(const LogitRow<Real>& row, double extra) {
  if (row.n <= kept_blocks * block<Real>) return kept_softmax<Real, scaled>(row, extra);
  ExpSum total = {{}, extra};
  if (!sum_row<Real, scaled>(row, total)) return false;
  write_row<Real, scaled>(row, total, [](Vector<Real>, Vector<Real> p) { return p; });
  return true;
}

template <class Real, bool scaled>
std::size_t softmax_rows(const RowBlock<Real>& rows) {
  // How many rows from r on are at most so long.
  const auto run_of = [&](std::size_t r, std::size_t most) {
    std::size_t end = r;
    while (end < rows.rows && rows.ranges[end].size() <= most) ++end;
    return end - r;
  };
  std::size_t r = 0;
  while (r < rows.rows) {
    for (std::size_t left = run_of(r, tiny<Real>); left >= side_by_side; left -= side_by_side) {
      const std::size_t done = tiny_softmax<Real, scaled>(rows, r);
      r += done;
      if (done < side_by_side) return r;
    }
    if (const std::size_t count = run_of(r, block<Real>); count > 0) {
      const std::size_t done = short_softmax<Real, scaled>(rows, r, r + count);
      r += done;
      if (done < count) return r;
    } else if (r < rows.rows) {
      if (!long_softmax<Real, scaled>(rows.row(r), 0)) return r;
      ++r;
    }
  }
  return r;
}

template <class Real, bool scaled>
bool self_adjust_row(const LogitRow<Real>& row) {
  ExpSum total;
  if (!sum_row<Real, scaled>(row, total)) return false;
  const Vector<Real> factor = set<Real>(row.scale.hi);
  write_row<Real, scaled>(row, total,
                          [&](Vector<Real> v, Vector<Real> p) { return hn::Mul(scaled ? hn::Mul(v, factor) : v, p); });
  return true;
}

template <class Real>
HWY_INLINE double smallest_of(const Real* row, std::size_t n) {
  const VectorTag<Real> d;
  Vector<Real> least = hn::Set(d, std::numeric_limits<Real>::infinity());
  visit_row<Real>(row, n, least, [&](Vector<Real> v, std::size_t) { least = hn::Min(v, least); });
  return static_cast<double>(hn::GetLane(hn::MinOfLanes(d, least)));
}

template <class Real, bool scaled>
bool self_adjust_normalized_row(const LogitRow<Real>& row) {
  ExpSum total;
  if (!sum_row<Real, scaled>(row, total)) return false;
  // Halves, so that the range of any two numbers is finite.
  const double low = std::min(0.0, smallest_of(row.logits, row.n)) / 2;
  const double range = std::max(0.0, largest_of(row.logits, row.n)) / 2 - low;
  if (range == 0) {
    std::fill_n(row.weights, row.n, Real{0});
    return true;
  }
  const Vector<Real> half = set<Real>(0.5);
  const Vector<Real> below = set<Real>(low);
  const Vector<Real> over = set<Real>(range);
  write_row<Real, scaled>(row, total, [&](Vector<Real> v, Vector<Real> p) {
    return hn::Mul(hn::Div(hn::Sub(hn::Mul(v, half), below), over), p);
  });
  return true;
}

/// run<scaled>(), without the cost of a scale of 1.
template <class Real, class Run>
HWY_INLINE std::size_t run_rows(const RowBlock<Real>& rows, Run run) {
  const bool plain = rows.scale.hi == 1 && rows.scale.lo == 0;
  return plain ? run.template operator()<false>() : run.template operator()<true>();
}

/// run<scaled>(row) until one fails.
template <class Real, class Run>
HWY_INLINE std::size_t run_one_by_one(const RowBlock<Real>& rows, Run run) {
  return run_rows(rows, [&]<bool scaled>() {
    std::size_t r = 0;
    while (r < rows.rows && run.template operator()<scaled>(rows.row(r))) ++r;
    return r;
  });
}

template <class Real>
std::size_t softmax(const RowBlock<Real>& rows) {
  return run_rows(rows, [&]<bool scaled>() { return softmax_rows<Real, scaled>(rows); });
}
template <class Real>
std::size_t softmax1(const RowBlock<Real>& rows) {
  return run_one_by_one(rows,
                        []<bool scaled>(const LogitRow<Real>& row) { return long_softmax<Real, scaled>(row, 1); });
}
template <class Real>
std::size_t self_adjust(const RowBlock<Real>& rows) {
  return run_one_by_one(rows,
                        []<bool scaled>(const LogitRow<Real>& row) { return self_adjust_row<Real, scaled>(row); });
}
template <class Real>
std::size_t self_adjust_normalized(const RowBlock<Real>& rows) {
  return run_one_by_one(
      rows, []<bool scaled>(const LogitRow<Real>& row) { return self_adjust_normalized_row<Real, scaled>(row); });
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
