#pragma once

#include <cmath>
#include <numbers>
#include <random>

namespace headroom::verify::testing {

/// Uniform on [0, 1) and standard normal draws that are the same on every standard library, unlike std::'s.
inline double uniform(std::mt19937_64& bits) { return static_cast<double>(bits() >> 11) * 0x1p-53; }

inline double normal(std::mt19937_64& bits) {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform(bits)));
  return radius * std::cos(2.0 * std::numbers::pi * uniform(bits));
}

}  // namespace headroom::verify::testing
