// e^z of scaled logits as every softmax-like kernel sums it. Included once per instruction set, after
// <hwy/highway.h>, hence the guard that toggles.
#if defined(HEADROOM_SIM_VECTOR_EXP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADROOM_SIM_VECTOR_EXP_INL
#undef HEADROOM_SIM_VECTOR_EXP_INL
#else
#define HEADROOM_SIM_VECTOR_EXP_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>

#include "sim/exp_constants.hpp"
#include "sim/scaled_logits.hpp"
#include "sim/vector_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::sim {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The part of a·b that `product`, its rounded value, leaves out.
template <class V>
HWY_INLINE V product_error(V a, V b, V product) {
#if HWY_TARGET <= HWY_AVX2  // these fuse
  return hn::MulSub(a, b, product);
#else  // Dekker 1971: halves of the digits multiply exactly
  using Real = hn::TFromV<V>;
  const hn::DFromV<V> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  using Bits = hn::TFromD<decltype(du)>;
  constexpr int low_bits = std::numeric_limits<Real>::digits / 2 + 1;
  const auto mask = hn::BitCast(d, hn::Set(du, static_cast<Bits>(~((Bits{1} << low_bits) - 1))));
  const V ah = hn::And(a, mask);
  const V al = hn::Sub(a, ah);
  const V bh = hn::And(b, mask);
  const V bl = hn::Sub(b, bh);
  const V high = hn::Sub(hn::Mul(ah, bh), product);
  return hn::Add(hn::Add(hn::Add(high, hn::Mul(ah, bl)), hn::Mul(al, bh)), hn::Mul(al, bl));
#endif
}

/// What a Real leaves out of a number.
template <class Real>
HWY_INLINE double low_part(const DoubleDouble& x) {
  return (x.hi - static_cast<double>(static_cast<Real>(x.hi))) + x.lo;
}

/// e^r on |r| <= log(2)/2.
template <class Real>
HWY_INLINE Vector<Real> exp_of_remainder(Vector<Real> r) {
  using C = ExpConstants<Real>;
  auto sum = set<Real>(C::polynomial[C::degree]);
  for (int k = C::degree; k-- > 0;) sum = hn::MulAdd(sum, r, set<Real>(C::polynomial[k]));
  return sum;
}

/// e^z·2^{−exponent} for z = (l − shift)·factor, to about one unit in the last place: the rounding of l − shift and of
/// the product with the factor is carried along. 0 where the result would be below the smallest normal number; NaN for
/// NaN and for l = +∞. Built once for a stretch of logits whose largest is at hand (ExpFrame).
template <class Real, bool scaled>
class ScaledExp {
 public:
  using D = VectorTag<Real>;
  using V = hn::Vec<D>;

  ScaledExp(const ExpFrame& frame, const DoubleDouble& scale)
      : ScaledExp(set<Real>(frame.shift), set<Real>(frame.exponent), scale) {}

  /// In the frame of the largest logit, given in every lane.
  static HWY_INLINE ScaledExp around(V largest, const DoubleDouble& scale) {
    const V z = scaled ? hn::Mul(largest, set<Real>(scale.hi)) : largest;
    const auto far = hn::Gt(hn::Abs(z), set<Real>(C::near));
    const V to_integer = set<Real>(C::magic - C::bias);
    const V exponent = hn::Sub(hn::MulAdd(z, set<Real>(1 / C::log2), to_integer), to_integer);
    return ScaledExp(hn::IfThenElseZero(far, largest), hn::IfThenZeroElse(far, exponent), scale);
  }

  HWY_INLINE ExpFrame frame() const {
    return {static_cast<double>(hn::GetLane(shift_)), C::magic - static_cast<double>(hn::GetLane(magic_))};
  }

  HWY_INLINE V operator()(V logits) const {
    const D d;
    // Max gives its second argument where one is NaN.
    V z = hn::Max(scaled ? lowest_logit_ : lowest_, hn::Sub(logits, shift_));
    V error = hn::Zero(d);
    if constexpr (scaled) {
      const V difference = z;
      const V product = hn::Mul(difference, factor_hi_);
      error = hn::MulAdd(difference, factor_lo_, product_error(difference, factor_hi_, product));
      z = hn::Max(lowest_, product);
    }
    const V binary = hn::MulAdd(z, set<Real>(1 / C::log2), magic_);
    const V count = hn::Sub(binary, magic_);
    V r = hn::NegMulAdd(count, set<Real>(C::log2_hi), z);
    r = hn::NegMulAdd(count, set<Real>(C::log2_lo), r);
    if constexpr (scaled) r = hn::Add(r, error);
    const hn::RebindToUnsigned<D> du;
    const V power = hn::BitCast(d, hn::ShiftLeft<C::mantissa_bits>(hn::BitCast(du, binary)));
    return hn::Mul(exp_of_remainder<Real>(r), power);
  }

 private:
  using C = ExpConstants<Real>;

  HWY_INLINE ScaledExp(V shift, V exponent, const DoubleDouble& scale)
      : shift_(shift),
        magic_(hn::Sub(set<Real>(C::magic), exponent)),
        // z of the exponent that has no mantissa left: its power of two is 0.
        lowest_(hn::Mul(hn::Sub(exponent, set<Real>(C::bias)), set<Real>(C::log2))) {
    if constexpr (scaled) {
      lowest_logit_ = hn::Mul(lowest_, set<Real>(1 / scale.hi));
      factor_hi_ = set<Real>(scale.hi);
      factor_lo_ = set<Real>(low_part<Real>(scale));
    }
  }

  V shift_;
  V magic_;
  V lowest_;
  V lowest_logit_{};
  V factor_hi_{};
  V factor_lo_{};
};

}  // namespace HWY_NAMESPACE
}  // namespace headroom::sim
HWY_AFTER_NAMESPACE();

#endif
