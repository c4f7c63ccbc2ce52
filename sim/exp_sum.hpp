#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "sim/double_double.hpp"
#include "sim/scaled_logits.hpp"

namespace headroom::sim {

/// Σe^z of some tokens, relative to a frame, and what its rounding has left out of `sum`.
struct ExpSum {
  ExpFrame frame;
  double sum = 0;
  double rest = 0;
};

/// 2^k of a whole number k.
inline double power_of_two(double k) {
  constexpr int bias = 1023;
  if (std::abs(k) >= bias) return std::exp2(k);
  return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::int64_t>(k) + bias) << 52U);
}

/// e of one frame over e of another, to double precision.
inline double frame_ratio(const ExpFrame& frame, const ExpFrame& reference, const DoubleDouble& scale) {
  const double power = power_of_two(frame.exponent - reference.exponent);
  if (frame.shift == reference.shift) return power;
  const DoubleDouble z = two_sum(frame.shift, -reference.shift) * scale;
  // Together, lest one overflows where the other would bring it back.
  const double whole = z.hi + (frame.exponent - reference.exponent) * std::numbers::ln2;
  if (whole < -1000) return 0;
  const double e = std::exp(z.hi);
  return (e + e * z.lo) * power;
}

/// Whether a frame lies above another.
inline bool above(const ExpFrame& frame, const ExpFrame& other, const DoubleDouble& scale) {
  return (frame.shift - other.shift) * scale.hi + (frame.exponent - other.exponent) * std::numbers::ln2 > 0;
}

/// Takes further tokens into the sum, which goes over to the higher frame of the two.
inline void absorb(ExpSum& total, const ExpSum& part, const DoubleDouble& scale) {
  DoubleDouble term = {part.sum, 0};
  if (total.sum == 0 || above(part.frame, total.frame, scale)) {
    const double ratio = total.sum == 0 ? 0 : frame_ratio(total.frame, part.frame, scale);
    total = {part.frame, total.sum * ratio, total.rest * ratio};
  } else {
    term.hi *= frame_ratio(part.frame, total.frame, scale);
  }
  const DoubleDouble sum = DoubleDouble{total.sum, total.rest} + term;
  total.sum = sum.hi;
  total.rest = sum.lo;
}

}  // namespace headroom::sim
