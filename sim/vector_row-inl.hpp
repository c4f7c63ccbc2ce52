// Walking over a row of any length without a step outside it. Included once per instruction set, after
// <hwy/highway.h>, hence the guard that toggles.
#if defined(HEADROOM_SIM_VECTOR_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADROOM_SIM_VECTOR_ROW_INL
#undef HEADROOM_SIM_VECTOR_ROW_INL
#else
#define HEADROOM_SIM_VECTOR_ROW_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "sim/row_block.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::sim {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// At most 512 bits, so that a row is worked on alike on every machine.
template <class Real>
using VectorTag = hn::CappedTag<Real, 64 / sizeof(Real)>;
template <class Real>
using Vector = hn::Vec<VectorTag<Real>>;

template <class Real>
HWY_INLINE Vector<Real> set(double x) {
  return hn::Set(VectorTag<Real>(), static_cast<Real>(x));
}

/// The first `count` of a vector's elements, fewer than it has, from memory; the others from `rest`.
template <class Real>
HWY_INLINE Vector<Real> load_first(const Real* p, std::size_t count, Vector<Real> rest) {
  const VectorTag<Real> d;
#if HWY_TARGET <= HWY_AVX2  // masked moves do not touch what they leave out
  const auto mask = hn::FirstN(d, count);
  return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, p), rest);
#else
  HWY_ALIGN Real buffer[hn::MaxLanes(VectorTag<Real>())];
  hn::Store(rest, d, buffer);
  for (std::size_t i = 0; i < count; ++i) buffer[i] = p[i];
  return hn::Load(d, buffer);
#endif
}

template <class Real>
HWY_INLINE void store_first(Vector<Real> v, Real* p, std::size_t count) {
  const VectorTag<Real> d;
#if HWY_TARGET <= HWY_AVX2
  hn::BlendedStore(v, hn::FirstN(d, count), d, p);
#else
  HWY_ALIGN Real buffer[hn::MaxLanes(VectorTag<Real>())];
  hn::Store(v, d, buffer);
  for (std::size_t i = 0; i < count; ++i) p[i] = buffer[i];
#endif
}

/// How many elements a sum runs over side by side, whatever the vectors' width: two vectors of 512 bits.
template <class Real>
inline constexpr std::size_t logical_lanes = 128 / sizeof(Real);

/// As many vectors as hold the logical lanes, added in a fixed order at the end: the same bytes for every width.
template <class Real>
class LaneSum {
 public:
  static constexpr std::size_t vectors = logical_lanes<Real> / hn::MaxLanes(VectorTag<Real>());

  LaneSum() {
    for (auto& lane : lanes_) lane = hn::Zero(VectorTag<Real>());
  }
  HWY_INLINE void add(std::size_t which, Vector<Real> v) { lanes_[which] = hn::Add(lanes_[which], v); }

  /// Eight sums over every eighth lane, then of those half and half, in float64.
  HWY_INLINE double total() const {
    const VectorTag<double> d;
#if HWY_TARGET <= HWY_AVX2  // in registers
    const hn::Half<decltype(d)> half;
    const hn::Half<decltype(half)> quarter;
    Vector<double> eight[8 / hn::MaxLanes(VectorTag<double>())];
    eighths(eight);
    if constexpr (hn::MaxLanes(VectorTag<double>()) == 8) {
      return total_of(quarter, hn::Add(hn::LowerHalf(half, eight[0]), hn::UpperHalf(half, eight[0])));
    } else {
      return total_of(half, hn::Add(eight[0], eight[1]));
    }
#else
    HWY_ALIGN Real lanes[logical_lanes<Real>];
    for (std::size_t v = 0; v < vectors; ++v) {
      hn::Store(lanes_[v], VectorTag<Real>(), lanes + v * hn::Lanes(VectorTag<Real>()));
    }
    HWY_ALIGN double eight[8];
    for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
      auto sum = hn::Add(promoted(lanes + i), promoted(lanes + i + 8));
      if constexpr (logical_lanes < Real >> 16) {
        sum = hn::Add(sum, hn::Add(promoted(lanes + i + 16), promoted(lanes + i + 24)));
      }
      hn::Store(sum, d, eight + i);
    }
    return ((eight[0] + eight[4]) + (eight[2] + eight[6])) + ((eight[1] + eight[5]) + (eight[3] + eight[7]));
#endif
  }

 private:
#if HWY_TARGET <= HWY_AVX2
  /// Of four: half to half.
  template <class Pair, class Four>
  static HWY_INLINE double total_of(Pair pair, Four four) {
    const auto two = hn::Add(hn::LowerHalf(pair, four), hn::UpperHalf(pair, four));
    return hn::GetLane(hn::Add(two, hn::Shuffle01(two)));
  }

  template <std::size_t count>
  HWY_INLINE void eighths(Vector<double> (&eight)[count]) const {
    if constexpr (sizeof(Real) == sizeof(double)) {
      for (std::size_t i = 0; i < count; ++i) eight[i] = hn::Add(lanes_[i], lanes_[i + count]);
    } else if constexpr (count == 1) {
      eight[0] = hn::Add(hn::Add(low(lanes_[0]), high(lanes_[0])), hn::Add(low(lanes_[1]), high(lanes_[1])));
    } else {
      eight[0] = hn::Add(hn::Add(low(lanes_[0]), low(lanes_[1])), hn::Add(low(lanes_[2]), low(lanes_[3])));
      eight[1] = hn::Add(hn::Add(high(lanes_[0]), high(lanes_[1])), hn::Add(high(lanes_[2]), high(lanes_[3])));
    }
  }

  static HWY_INLINE Vector<double> low(Vector<float> v) { return hn::PromoteTo(VectorTag<double>(), hn::LowerHalf(v)); }
  static HWY_INLINE Vector<double> high(Vector<float> v) {
    return hn::PromoteTo(VectorTag<double>(), hn::UpperHalf(hn::Half<VectorTag<float>>(), v));
  }
#else
  static HWY_INLINE Vector<double> promoted(const Real* p) {
    const VectorTag<double> d;
    if constexpr (sizeof(Real) == sizeof(double)) {
      return hn::Load(d, p);
    } else {
      return hn::PromoteTo(d, hn::Load(hn::Rebind<Real, VectorTag<double>>(), p));
    }
  }
#endif

  Vector<Real> lanes_[vectors];
};

/// map(vector, which) of every vector of the row, `which` counting the vectors of a LaneSum; beyond the end the last
/// vector holds `rest`. What map returns is written to `out`, which may be the row itself. `which` is a constant once
/// the loops are unrolled, so that sums stay in registers.
template <class Real, class Map>
HWY_INLINE void transform_row(const Real* row, std::size_t n, Vector<Real> rest, Real* out, Map map) {
  const VectorTag<Real> d;
  const std::size_t step = hn::Lanes(d);
  constexpr std::size_t group = LaneSum<Real>::vectors;
  std::size_t i = 0;
  for (; i + group * step <= n; i += group * step) {
    for (std::size_t g = 0; g < group; ++g) {
      hn::StoreU(map(hn::LoadU(d, row + i + g * step), g), d, out + i + g * step);
    }
  }
  for (std::size_t g = 0; g < group; ++g) {
    if (i >= n) return;
    if (i + step <= n) {
      hn::StoreU(map(hn::LoadU(d, row + i), g), d, out + i);
    } else {
      store_first<Real>(map(load_first<Real>(row + i, n - i, rest), g), out + i, n - i);
    }
    i += step;
  }
}

/// The same without writing.
template <class Real, class Visit>
HWY_INLINE void visit_row(const Real* row, std::size_t n, Vector<Real> rest, Visit visit) {
  const VectorTag<Real> d;
  const std::size_t step = hn::Lanes(d);
  constexpr std::size_t group = LaneSum<Real>::vectors;
  std::size_t i = 0;
  for (; i + group * step <= n; i += group * step) {
    for (std::size_t g = 0; g < group; ++g) visit(hn::LoadU(d, row + i + g * step), g);
  }
  for (std::size_t g = 0; g < group; ++g) {
    if (i >= n) return;
    visit(i + step <= n ? hn::LoadU(d, row + i) : load_first<Real>(row + i, n - i, rest), g);
    i += step;
  }
}

/// `count` sums over a row of any length: visit(vector, which, lanes) adds to lanes[…] of a stretch, after which the
/// sums go on in twice the precision of double, so that what a lane loses does not grow with the row.
template <class Real, std::size_t count, class Visit>
HWY_INLINE std::array<double, count> sums_of_row(const Real* row, std::size_t n, Vector<Real> rest, Visit visit) {
  constexpr std::size_t stretch = 4096 / sizeof(Real);
  DoubleDouble totals[count];
  for (std::size_t i = 0; i < n; i += stretch) {
    LaneSum<Real> lanes[count];
    visit_row<Real>(row + i, std::min(stretch, n - i), rest,
                    [&](Vector<Real> v, std::size_t g) { visit(v, g, lanes); });
    for (std::size_t k = 0; k < count; ++k) totals[k] = totals[k] + DoubleDouble{lanes[k].total(), 0};
  }
  std::array<double, count> sums;
  for (std::size_t k = 0; k < count; ++k) sums[k] = totals[k].hi;
  return sums;
}

/// The largest element in every lane, −∞ for none; elements that are NaN may be overlooked.
template <class Real>
HWY_INLINE Vector<Real> largest_lanes(const Real* row, std::size_t n) {
  const VectorTag<Real> d;
  const auto least = hn::Set(d, -std::numeric_limits<Real>::infinity());
  Vector<Real> most[LaneSum<Real>::vectors];
  for (auto& m : most) m = least;
  visit_row<Real>(row, n, least, [&](Vector<Real> v, std::size_t g) { most[g] = hn::Max(v, most[g]); });
  for (std::size_t g = 1; g < LaneSum<Real>::vectors; ++g) most[0] = hn::Max(most[0], most[g]);
  return hn::MaxOfLanes(d, most[0]);
}

template <class Real>
HWY_INLINE double largest_of(const Real* row, std::size_t n) {
  return static_cast<double>(hn::GetLane(largest_lanes(row, n)));
}

/// The largest logit of a row, −∞ for none, NaN where one is no logit.
template <class Real>
HWY_INLINE double largest_logit(const Real* logits, std::size_t n) {
  const VectorTag<Real> d;
  const auto beyond = hn::Set(d, std::numeric_limits<Real>::infinity());
  const auto least = hn::Neg(beyond);
  Vector<Real> most = least;
  Vector<Real> second = least;
  auto sound = hn::Lt(least, beyond);
  visit_row<Real>(logits, n, least, [&](Vector<Real> v, std::size_t g) {
    sound = hn::And(sound, hn::Lt(v, beyond));
    (g % 2 == 0 ? most : second) = hn::Max(v, g % 2 == 0 ? most : second);
  });
  if (!hn::AllTrue(d, sound)) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, hn::Max(most, second))));
}

/// run(row, its largest logit) for every row up to the first without a finite one or with what is no logit; returns how
/// many.
template <class Real, class Run>
HWY_INLINE std::size_t for_sound_rows(const RowBlock<Real>& rows, Run run) {
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const LogitRow<Real> row = rows.row(r);
    const double largest = largest_logit(row.logits, row.n);
    if (!(largest > -std::numeric_limits<double>::infinity())) return r;
    run(row, largest);
  }
  return rows.rows;
}

/// Moves the values that `keep` selects to the front, in their order; returns how many. Up to a vector of values
/// beyond the last is overwritten.
/// @param keep keep(vector) is a mask, false for `none`
template <class Real, class Keep>
HWY_INLINE std::size_t keep_if(Real* values, std::size_t count, Vector<Real> none, Keep keep) {
  const VectorTag<Real> d;
  std::size_t kept = 0;
  visit_row<Real>(values, count, none, [&](Vector<Real> v, std::size_t) {
    const auto mask = keep(v);
    hn::StoreU(hn::Compress(v, mask), d, values + kept);
    kept += hn::CountTrue(d, mask);
  });
  return kept;
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::sim
HWY_AFTER_NAMESPACE();

#endif
