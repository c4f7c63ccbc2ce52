#include "sim/simplex_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "sim/steep_entmax.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/simplex_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After the two above.
#include <hwy/contrib/math/math-inl.h>

#include "sim/vector_exp-inl.hpp"
#include "sim/vector_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::sim {
namespace HWY_NAMESPACE {
namespace {

using Wide = Vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// z relative to the largest, in float64.
struct Relative {
  Wide largest;
  Wide factor_hi;
  Wide factor_lo;

  Relative(double top, const DoubleDouble& scale)
      : largest(set<double>(top)), factor_hi(set<double>(scale.hi)), factor_lo(set<double>(scale.lo)) {}

  HWY_INLINE Wide operator()(Wide logits) const {
    const Wide difference = hn::Sub(logits, largest);
    return hn::MulAdd(difference, factor_lo, hn::Mul(difference, factor_hi));
  }
};

HWY_INLINE Wide widen_first(const double* p) { return hn::LoadU(VectorTag<double>(), p); }
HWY_INLINE Wide widen_first(const float* p) {
  const VectorTag<double> d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, VectorTag<double>>(), p));
}

/// map on a vector in float64, and back.
template <class Map>
HWY_INLINE Vector<double> in_float64(Vector<double> v, Map map) {
  return map(v);
}
template <class Map>
HWY_INLINE Vector<float> in_float64(Vector<float> v, Map map) {
  const VectorTag<double> d;
#if HWY_TARGET == HWY_SCALAR
  return hn::DemoteTo(VectorTag<float>(), map(hn::PromoteTo(d, v)));
#else
  const VectorTag<float> whole;
  const hn::Half<VectorTag<float>> half;
  const auto low = map(hn::PromoteTo(d, hn::LowerHalf(half, v)));
  const auto high = map(hn::PromoteTo(d, hn::UpperHalf(half, v)));
  return hn::Combine(whole, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
#endif
}

/// The logit that z − zmax > −width is left of, itself or the next one below.
template <class Real>
Real cut_below(double largest, double width, const DoubleDouble& scale) {
  const double cut = largest - width / scale.hi;
  return std::nextafter(static_cast<Real>(std::max(cut, static_cast<double>(std::numeric_limits<Real>::lowest()))),
                        -std::numeric_limits<Real>::infinity());
}

/// Moves z − zmax of the tokens above the cut to `found`; returns their number.
template <class Real>
HWY_INLINE std::size_t gather(const LogitRow<Real>& row, Real cut, const Relative& relative, double* found) {
  const VectorTag<Real> d;
  const VectorTag<double> wide;
  const Vector<Real> above = hn::Set(d, cut);
  std::size_t count = 0;
  HWY_ALIGN Real kept[hn::MaxLanes(VectorTag<Real>())];
  visit_row<Real>(row.logits, row.n, hn::Set(d, -std::numeric_limits<Real>::infinity()),
                  [&](Vector<Real> v, std::size_t) {
                    const auto mask = hn::Gt(v, above);
                    if (hn::AllFalse(d, mask)) return;
                    hn::Store(hn::Compress(v, mask), d, kept);
                    const std::size_t size = hn::CountTrue(d, mask);
                    for (std::size_t i = 0; i < size; i += hn::Lanes(wide)) {
                      hn::StoreU(relative(widen_first(kept + i)), wide, found + count + i);
                    }
                    count += size;
                  });
  return count;
}

/// Writes weight(z − zmax), or from what else `relative` is relative to, above the cut; 0 below.
template <class Real, class Weight>
HWY_INLINE void scatter(const LogitRow<Real>& row, Real cut, const Relative& relative, Weight weight) {
  const VectorTag<Real> d;
  const Vector<Real> above = hn::Set(d, cut);
  transform_row<Real>(row.logits, row.n, above, row.weights, [&](Vector<Real> v, std::size_t) {
    if (hn::AllFalse(d, hn::Gt(v, above))) return hn::Zero(d);
    return in_float64(v, [&](Wide l) { return weight(relative(l)); });
  });
}

/// Drops what is not above the threshold; returns how many are left.
HWY_INLINE std::size_t keep_above(double threshold, double* found, std::size_t count) {
  const Wide limit = set<double>(threshold);
  return keep_if<double>(found, count, limit, [&](Wide v) { return hn::Gt(v, limit); });
}

/// Σ (v − origin)^1 and ^2, and the smallest v.
struct Powers {
  double first;
  double second;
  double smallest;
};

HWY_INLINE Powers powers(const double* found, std::size_t count, double origin) {
  const VectorTag<double> d;
  const Wide from = set<double>(origin);
  const Wide none = set<double>(infinity);
  Wide least = none;
  const auto sums = sums_of_row<double, 2>(found, count, none, [&](Wide v, std::size_t g, auto& lanes) {
    const Wide difference = hn::IfThenElseZero(hn::Lt(v, none), hn::Sub(v, from));
    lanes[0].add(g, difference);
    lanes[1].add(g, hn::Mul(difference, difference));
    least = hn::Min(least, v);
  });
  return {sums[0], sums[1], hn::GetLane(hn::MinOfLanes(d, least))};
}

/// τ with Σ(v − τ)₊ = 1, all v above −1.
HWY_INLINE double sparsemax_threshold(double* found, std::size_t count) {
  double threshold = -1;
  for (;;) {
    threshold += (powers(found, count, threshold).first - 1) / static_cast<double>(count);
    const std::size_t kept = keep_above(threshold, found, count);
    if (kept == count) return threshold;
    count = kept;
  }
}

/// t with Σ(v − t)₊² = 4, all v above −2.
HWY_INLINE double entmax15_threshold(double* found, std::size_t count) {
  double threshold = -2;
  for (;;) {
    const Powers sums = powers(found, count, threshold);
    const double excess = sums.second - 4;
    if (!(excess > 0)) return threshold;
    const double discriminant = sums.first * sums.first - static_cast<double>(count) * excess;
    if (discriminant >= 0) {
      const double root = threshold + excess / (sums.first + std::sqrt(discriminant));
      if (root <= sums.smallest) return root;
    }
    const double next = threshold + excess / (2 * sums.first);
    if (!(next > threshold)) return threshold;
    threshold = next;
    count = keep_above(threshold, found, count);
  }
}

/// The weight of α-entmax before it is divided by the sum: p = a^{1/(α−1)}, a = 1 + (α−1)(v − θ), and p/a.
struct SmoothWeight {
  explicit SmoothWeight(double alpha) : steepness(set<double>(alpha - 1)), exponent(set<double>(1 / (alpha - 1))) {}

  HWY_INLINE Wide operator()(Wide v, Wide theta, Wide* over_a = nullptr) const {
    const VectorTag<double> d;
    const Wide x = hn::Mul(steepness, hn::Sub(v, theta));
    const auto has_weight = hn::Gt(x, set<double>(-1));
    const Wide inside = hn::IfThenElseZero(has_weight, x);
    const Wide p = hn::IfThenElseZero(has_weight, exp(hn::Mul(hn::Log1p(d, inside), exponent)));
    if (over_a != nullptr) *over_a = hn::Div(p, hn::Add(set<double>(1), inside));
    return p;
  }

  Wide steepness;
  Wide exponent;
  ScaledExp<double, false> exp{ExpFrame{}, DoubleDouble{1, 0}};
};

struct Smooth {
  double theta;
  double sum;
};

/// θ with Σp = 1 for 1 < α < 2: between 0, where the largest has weight 1, and where `count` equal ones share it.
HWY_INLINE Smooth smooth_threshold(const double* found, std::size_t count, double alpha) {
  const SmoothWeight weight(alpha);
  double low = 0;
  double high = -std::expm1((1 - alpha) * std::log(static_cast<double>(count))) / (alpha - 1);
  Smooth at = {0, 1};
  for (int step = 0; step < 100; ++step) {
    const Wide theta = set<double>(at.theta);
    const auto sums =
        sums_of_row<double, 2>(found, count, set<double>(-infinity), [&](Wide v, std::size_t g, auto& lanes) {
          Wide over_a;
          lanes[0].add(g, weight(v, theta, &over_a));
          lanes[1].add(g, over_a);
        });
    at.sum = sums[0];
    if (std::abs(at.sum - 1) <= 0x1p-51) break;
    (at.sum > 1 ? low : high) = at.theta;
    double next = at.theta + std::log(at.sum) * at.sum / sums[1];
    if (!(low < next) || !(next < high)) next = low + (high - low) / 2;
    if (next == at.theta) break;
    at.theta = next;
  }
  return at;
}

template <class Real>
std::size_t sparsemax(const RowBlock<Real>& rows, double* scratch) {
  return for_sound_rows(rows, [&](const LogitRow<Real>& row, double largest) {
    const Relative relative(largest, row.scale);
    const std::size_t count = gather(row, cut_below<Real>(largest, 1, row.scale), relative, scratch);
    const double threshold = sparsemax_threshold(scratch, count);
    const Wide level = set<double>(threshold);
    scatter(row, cut_below<Real>(largest, -threshold, row.scale), relative,
            [&](Wide v) { return hn::Max(hn::Sub(v, level), set<double>(0)); });
  });
}

template <class Real>
std::size_t entmax15(const RowBlock<Real>& rows, double* scratch) {
  return for_sound_rows(rows, [&](const LogitRow<Real>& row, double largest) {
    const Relative relative(largest, row.scale);
    const std::size_t count = gather(row, cut_below<Real>(largest, 2, row.scale), relative, scratch);
    const double threshold = entmax15_threshold(scratch, count);
    const Wide level = set<double>(threshold);
    scatter(row, cut_below<Real>(largest, -threshold, row.scale), relative, [&](Wide v) {
      const Wide root = hn::Max(hn::Mul(hn::Sub(v, level), set<double>(0.5)), set<double>(0));
      return hn::Mul(root, root);
    });
  });
}

template <class Real>
HWY_INLINE void smooth_row(const LogitRow<Real>& row, Real cut, const Relative& relative, double alpha, double* found) {
  const std::size_t count = gather(row, cut, relative, found);
  const Smooth at = smooth_threshold(found, count, alpha);
  const SmoothWeight weight(alpha);
  const Wide theta = set<double>(at.theta);
  const Wide factor = set<double>(1 / at.sum);
  scatter(row, cut, relative, [&](Wide v) { return hn::Mul(weight(v, theta), factor); });
}

template <class Real>
HWY_INLINE void steep_row(const LogitRow<Real>& row, Real cut, double alpha, double* found) {
  // The logits as they are: differences from the largest would round off what tells nearly equal ones apart.
  const std::size_t count = gather(row, cut, Relative(0, {1, 0}), found);
  std::sort(found, found + count, std::greater<>());
  const auto distance = [&](std::size_t i, std::size_t k) {
    const double difference = found[i] - found[k];
    return (alpha - 1) * (difference * row.scale.hi + difference * row.scale.lo);
  };
  const std::vector<double> p = solve_steep(count, distance, alpha);
  const Relative above_last(found[p.size() - 1], row.scale);
  const Wide factor = set<double>(1 / sum_of(p).hi);
  const Wide steepness = set<double>(alpha - 1);
  const Wide exponent = set<double>(1 / (alpha - 1));
  const Wide smallest = set<double>(p.back());
  const Wide threshold = set<double>(std::pow(p.back(), alpha - 1));
  const Wide zero = set<double>(0);
  const ScaledExp<double, false> exp(ExpFrame{}, {1, 0});
  scatter(row, cut, above_last, [&](Wide v) {
    const Wide distance_from_last = hn::Mul(steepness, v);
    const auto beyond = hn::Gt(distance_from_last, zero);
    const Wide a = hn::IfThenElse(beyond, hn::Add(distance_from_last, threshold), set<double>(1));
    const Wide power = exp(hn::Mul(hn::Log(VectorTag<double>(), a), exponent));
    const Wide at_last = hn::IfThenElseZero(hn::Eq(distance_from_last, zero), smallest);
    return hn::Mul(hn::IfThenElse(beyond, power, at_last), factor);
  });
}

template <class Real>
std::size_t entmax(const RowBlock<Real>& rows, double alpha, double* scratch) {
  return for_sound_rows(rows, [&](const LogitRow<Real>& row, double largest) {
    const Real cut = cut_below<Real>(largest, 1 / (alpha - 1), row.scale);
    if (alpha < 2) {
      smooth_row(row, cut, Relative(largest, row.scale), alpha, scratch);
    } else {
      steep_row(row, cut, alpha, scratch);
    }
  });
}

const SimplexKernels<float>& single() {
  static constexpr SimplexKernels<float> kernels = {sparsemax<float>, entmax15<float>, entmax<float>};
  return kernels;
}
const SimplexKernels<double>& twice() {
  static constexpr SimplexKernels<double> kernels = {sparsemax<double>, entmax15<double>, entmax<double>};
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
const SimplexKernels<float>& simplex_kernels<float>() {
  return HWY_DYNAMIC_DISPATCH(single)();
}
template <>
const SimplexKernels<double>& simplex_kernels<double>() {
  return HWY_DYNAMIC_DISPATCH(twice)();
}

}  // namespace headroom::sim
#endif
