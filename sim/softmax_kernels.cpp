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

/// Rows of at most so many logits are worked on in batches.
template <class Real>
constexpr std::size_t tiny = 2 * logical_lanes<Real>;
constexpr std::size_t batch = 16;

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

template <class Real>
HWY_INLINE void multiply(Real* w, std::size_t n, double factor) {
  const Vector<Real> f = set<Real>(factor);
  transform_row<Real>(w, n, f, w, [&](Vector<Real> v, std::size_t) { return hn::Mul(v, f); });
}

/// Exponentials that wait for their factor.
template <class Real>
struct Behind {
  Real* weights = nullptr;
  std::size_t n = 0;
  double factor = 1;
};

/// Σe of a row or block, relative to a frame of its own. In the same sweep, as far as both are so long, so that their
/// operations fill each other's gaps: the factor of what is behind, and the largest logit of the next, in every lane.
/// @tparam keep  whether the exponentials go to the row's weights
template <bool keep, class Real, bool scaled>
HWY_INLINE double sweep(const Behind<Real>& behind, const LogitRow<Real>& row, const ScaledExp<Real, scaled>& exp,
                        const LogitRow<Real>& next, Vector<Real>& next_largest, const Ahead<Real>& ahead) {
  const VectorTag<Real> d;
  constexpr std::size_t step = hn::MaxLanes(VectorTag<Real>());
  constexpr std::size_t group = LaneSum<Real>::vectors;
  LaneSum<Real> sum;
  Vector<Real> most[group];
  for (auto& m : most) m = masked<Real>();
  const auto look = [&](Vector<Real> v, std::size_t g) { most[g] = hn::Max(v, most[g]); };
  const auto add = [&](Vector<Real> v, std::size_t g) {
    const Vector<Real> e = exp(v);
    sum.add(g, e);
    return e;
  };
  const auto look_and_add = [&](std::size_t at, std::size_t g) {
    ahead.fetch(at);
    look(hn::LoadU(d, next.logits + at), g);
    const Vector<Real> e = add(hn::LoadU(d, row.logits + at), g);
    if constexpr (keep) hn::StoreU(e, d, row.weights + at);
  };
  const Vector<Real> factor = set<Real>(behind.factor);
  const std::size_t two = std::min(row.n, next.n) / (group * step) * (group * step);
  const std::size_t three = std::min(two, behind.n / (group * step) * (group * step));
  std::size_t i = 0;
  for (; i < three; i += group * step) {
    for (std::size_t g = 0; g < group; ++g) {
      Real* const w = behind.weights + i + g * step;
      hn::StoreU(hn::Mul(hn::LoadU(d, w), factor), d, w);
      look_and_add(i + g * step, g);
    }
  }
  multiply(behind.weights + i, behind.n - i, behind.factor);
  for (; i < two; i += group * step) {
    for (std::size_t g = 0; g < group; ++g) look_and_add(i + g * step, g);
  }
  visit_row<Real>(next.logits + two, next.n - two, masked<Real>(), look);
  const auto fetch_and_add = [&](Vector<Real> v, std::size_t g) {
    ahead.fetch(i);
    i += step;
    return add(v, g);
  };
  if constexpr (keep) {
    transform_row<Real>(row.logits + two, row.n - two, masked<Real>(), row.weights + two, fetch_and_add);
  } else {
    visit_row<Real>(row.logits + two, row.n - two, masked<Real>(), fetch_and_add);
  }
  for (std::size_t g = 1; g < group; ++g) most[0] = hn::Max(most[0], most[g]);
  next_largest = hn::MaxOfLanes(d, most[0]);
  return sum.total();
}

/// Rows [first, last), at most `batch` of at most `tiny` tokens each, all through one step before the next: one row
/// alone would wait for its largest logit and for its sum. Returns how many it did.
template <class Real, bool scaled>
HWY_INLINE std::size_t tiny_softmax(const RowBlock<Real>& rows, std::size_t first, std::size_t last) {
  Real largest[batch];
  LaneSum<Real> sums[batch];
  double factor[batch];
  std::size_t count = 0;
  for (; first + count < last; ++count) {
    const LogitRow<Real> row = rows.row(first + count);
    largest[count] = hn::GetLane(largest_lanes(row.logits, row.n));
    if (!(std::abs(static_cast<double>(largest[count])) < infinity)) break;
  }
  for (std::size_t r = 0; r < count; ++r) {
    const LogitRow<Real> row = rows.row(first + r);
    const auto exp = ScaledExp<Real, scaled>::around(hn::Set(VectorTag<Real>(), largest[r]), rows.scale);
    LaneSum<Real> sum;
    transform_row<Real>(row.logits, row.n, masked<Real>(), row.weights, [&](Vector<Real> v, std::size_t g) {
      const Vector<Real> e = exp(v);
      sum.add(g, e);
      return e;
    });
    sums[r] = sum;
  }
  for (std::size_t r = 0; r < count; ++r) {
    factor[r] = sums[r].total();
    if (!(factor[r] < infinity)) count = r;
  }
  for (std::size_t r = 0; r < count; ++r) {
    const LogitRow<Real> row = rows.row(first + r);
    multiply(row.weights, row.n, 1 / factor[r]);
  }
  return count;
}

/// Rows [first, last) of at most a block each, nothing to bring together. Returns how many it did.
template <class Real, bool scaled>
HWY_INLINE std::size_t short_softmax(const RowBlock<Real>& rows, std::size_t first, std::size_t last) {
  LogitRow<Real> row = rows.row(first);
  Behind<Real> behind;
  Vector<Real> largest = largest_lanes(row.logits, row.n);
  std::size_t r = first;
  while (r < last && std::abs(static_cast<double>(hn::GetLane(largest))) < infinity) {
    const LogitRow<Real> next = r + 1 < last ? rows.row(r + 1) : LogitRow<Real>();
    Ahead<Real> ahead;
    if (rows.far && r + rows_ahead < last) {
      const LogitRow<Real> later = rows.row(r + rows_ahead);
      ahead = {later.logits, later.weights};
    }
    const auto exp = ScaledExp<Real, scaled>::around(largest, rows.scale);
    const double sum = sweep<true>(behind, row, exp, next, largest, ahead);
    behind = {};
    if (!(sum < infinity)) break;
    behind = {row.weights, row.n, 1 / sum};
    row = next;
    ++r;
  }
  multiply(behind.weights, behind.n, behind.factor);
  return r - first;
}

/// Whether logits without a finite largest one are all masked, rather than no logits.
template <class Real>
bool all_masked(const Real* l, std::size_t n) {
  return std::all_of(l, l + n, [](Real x) { return x == -std::numeric_limits<Real>::infinity(); });
}

/// Σe^z of a row, block after block relative to its own largest, each put to take(start, size, its sum). False where
/// the row has no finite logit or something that is none.
/// @tparam keep  whether the exponentials go to the row's weights, but for those of blocks of masked tokens alone
template <bool keep, class Real, bool scaled, class Take>
HWY_INLINE bool sum_blocks(const LogitRow<Real>& row, ExpSum& total, Take take) {
  bool any = false;
  Vector<Real> largest = largest_lanes(row.logits, std::min(block<Real>, row.n));
  for (std::size_t i = 0; i < row.n; i += block<Real>) {
    const std::size_t size = std::min(block<Real>, row.n - i);
    const LogitRow<Real> here = {row.logits + i, row.weights + i, size, row.scale};
    const LogitRow<Real> next = {here.logits + size, here.weights + size, std::min(block<Real>, row.n - i - size),
                                 row.scale};
    ExpSum part;
    if (static_cast<double>(hn::GetLane(largest)) == -infinity) {
      if (!all_masked(here.logits, size)) return false;
      largest = largest_lanes(next.logits, next.n);
    } else {
      Ahead<Real> ahead;
      if (row.n - i >= (rows_ahead + 1) * block<Real>) {
        const std::size_t later = rows_ahead * block<Real>;
        ahead = {here.logits + later, keep ? here.weights + later : here.logits + later};
      }
      const auto exp = ScaledExp<Real, scaled>::around(largest, row.scale);
      part = {exp.frame(), sweep<keep>(Behind<Real>(), here, exp, next, largest, ahead)};
      if (!(part.sum < infinity)) return false;
      any = true;
      absorb(total, part, row.scale);
    }
    take(i, size, part);
  }
  return any;
}

/// A row whose exponentials are kept, as weights to be, until their sum is known.
template <class Real, bool scaled>
bool kept_softmax(const LogitRow<Real>& row, double extra) {
  ExpSum parts[kept_blocks];
  ExpSum total = {{}, extra};
  const auto keep = [&](std::size_t i, std::size_t, const ExpSum& part) { parts[i / block<Real>] = part; };
  if (!sum_blocks<true, Real, scaled>(row, total, keep)) return false;
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
  return sum_blocks<false, Real, scaled>(row, total, [](std::size_t, std::size_t, const ExpSum&) {});
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
  // The end of the rows from r on, up to `last`, that are at most so long.
  const auto run_of = [&](std::size_t r, std::size_t last, std::size_t most) {
    while (r < last && rows.ranges[r].size() <= most) ++r;
    return r;
  };
  std::size_t r = 0;
  while (r < rows.rows) {
    std::size_t end = run_of(r, std::min(rows.rows, r + batch), tiny<Real>);
    std::size_t done = 0;
    if (end > r + 1) {
      done = tiny_softmax<Real, scaled>(rows, r, end);
    } else if (end = run_of(r, rows.rows, block<Real>); end > r) {
      done = short_softmax<Real, scaled>(rows, r, end);
    } else {
      end = r + 1;
      done = long_softmax<Real, scaled>(rows.row(r), 0) ? 1 : 0;
    }
    r += done;
    if (r < end) break;
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
