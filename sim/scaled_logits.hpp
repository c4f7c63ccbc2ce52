#pragma once

#include <cmath>
#include <cstddef>
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

/// How a row ended: `invalid` when a logit is NaN or +∞, `empty` when all are −∞.
enum class RowOutcome { done, empty, invalid };

/// One row for a kernel: n logits, −∞ among them for masked tokens of weight 0, and room for n weights, which may be
/// the logits' own. Nothing outside is read or written. The weights of an empty row are 0, of an invalid one undefined.
template <class Real>
struct RowTask {
  const Real* logits = nullptr;
  Real* weights = nullptr;
  std::size_t n = 0;
  DoubleDouble scale = {1, 0};  ///< z = l·scale: the factor of a length-aware normalizer over the temperature, > 0
  DoubleDouble bias = {0, 0};   ///< added to z where the normalizer has one
  std::size_t column = 0;       ///< of the first logit, for messages
  RowOutcome outcome = RowOutcome::done;

  /// Whether z = l.
  [[nodiscard]] bool plain() const { return scale.hi == 1 && scale.lo == 0; }
};

}  // namespace headroom::sim
