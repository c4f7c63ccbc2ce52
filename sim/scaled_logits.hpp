#pragma once

#include <cmath>
#include <numbers>

#include "sim/double_double.hpp"

namespace headroom::sim {

/// What e^z, z = l·scale, is taken relative to: e^{shift·scale}·2^exponent, near the largest, so that nothing
/// overflows. Logits far from 0 are shifted by one of them, which is exact where it matters (Sterbenz); near 0 they are
/// not, and the power of two, which is exact, does it alone.
struct ExpFrame {
  double shift = 0;
  double exponent = 0;

  /// @param near |z| that needs no shift: k·log2_hi stays exact for it
  static ExpFrame at(double largest_logit, const DoubleDouble& scale, double near) {
    const bool far = std::abs(largest_logit * scale.hi) > near;
    const double z = far ? 0 : largest_logit * scale.hi;
    constexpr double to_integer = 0x1.8p52;  // adding it leaves no fraction
    return {far ? largest_logit : 0, (z * std::numbers::log2e + to_integer) - to_integer};
  }
};

}  // namespace headroom::sim
