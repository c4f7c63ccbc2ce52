// The lanes every kernel of this room sums over. Included once per instruction set, after <hwy/highway.h>, hence the
// guard that toggles.
#if defined(HEADROOM_VERIFY_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADROOM_VERIFY_LANES_INL
#undef HEADROOM_VERIFY_LANES_INL
#else
#define HEADROOM_VERIFY_LANES_INL
#endif

#include <hwy/highway.h>

#include "verify/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::verify {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
/// Vectors of float or double and the logical lanes they make up.
template <class Real>
struct Lanes {
  using Tag = hn::CappedTag<Real, lane_group_of<Real>>;
  using V = hn::Vec<Tag>;
  static constexpr std::size_t size = hn::MaxLanes(Tag());
  static constexpr std::size_t groups = lane_group_of<Real> / size;

  static HWY_INLINE V load(const Real* p) { return hn::LoadU(Tag(), p); }
  static HWY_INLINE void store(V x, Real* p) { hn::StoreU(x, Tag(), p); }
  static HWY_INLINE V set(double x) { return hn::Set(Tag(), static_cast<Real>(x)); }
  static HWY_INLINE V zero() { return hn::Zero(Tag()); }

  // The logical lanes, added in order: the same bytes for every vector width.
  static HWY_INLINE double total(const V (&sum)[groups]) {
    Real lanes[lane_group_of<Real>];
    for (std::size_t g = 0; g < groups; ++g) store(sum[g], lanes + g * size);
    double result = 0;
    for (Real lane : lanes) result += static_cast<double>(lane);
    return result;
  }
};

// Single-precision lanes are emptied into a double after this many tokens each, so that long rows lose nothing.
template <class Real>
constexpr std::size_t chunk = sizeof(Real) == sizeof(double) ? static_cast<std::size_t>(-1) : 64 * lane_group_of<Real>;

// sqrt(max(q, 0)): in single precision from the approximate reciprocal root and one step of Newton's method, to 2⁻²²,
// in half the time of the square root itself.
template <class Real>
HWY_INLINE typename Lanes<Real>::V root(typename Lanes<Real>::V q) {
  using L = Lanes<Real>;
  if constexpr (sizeof(Real) == sizeof(double)) {
    return hn::Sqrt(hn::Max(q, L::zero()));
  } else {
    // The smallest normal number keeps 0 from becoming 0·∞.
    const auto inside = hn::Max(q, L::set(1.2e-38));
    const auto inverse = hn::ApproximateReciprocalSqrt(inside);
    const auto guess = hn::Mul(inside, inverse);
    const auto half = hn::Mul(inverse, L::set(0.5));
    return hn::MulAdd(hn::NegMulAdd(guess, guess, inside), half, guess);
  }
}

// A whole number in single precision, and what adds it to the exponent of a float's bits.
struct WholeNumber {
  Lanes<float>::V value;
  hn::Vec<hn::RebindToSigned<Lanes<float>::Tag>> exponent;
};

// The one nearest to x·factor, |x·factor| < 2²¹: the sum leaves it in its last bits, and no saturating conversion is
// needed.
HWY_INLINE WholeNumber nearest_whole(Lanes<float>::V x, double factor) {
  using L = Lanes<float>;
  const auto last_bits = L::set(12582912);  // 1.5·2²³
  const auto sum = hn::MulAdd(x, L::set(factor), last_bits);
  const hn::RebindToSigned<L::Tag> integers;
  return {hn::Sub(sum, last_bits), hn::ShiftLeft<23>(hn::BitCast(integers, sum))};
}

// Short names for double, which most kernels know alone.
using Tag = Lanes<double>::Tag;
using V = Lanes<double>::V;
constexpr std::size_t kLanes = Lanes<double>::size;
constexpr std::size_t kGroups = Lanes<double>::groups;
HWY_INLINE V load(const double* p) { return Lanes<double>::load(p); }
HWY_INLINE V set(double x) { return Lanes<double>::set(x); }
HWY_INLINE double add_lanes(const V (&sum)[kGroups]) { return Lanes<double>::total(sum); }

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#endif
