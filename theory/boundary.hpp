#pragma once

namespace headroom::theory {

/// The t in (low, high) where a function that is true at low turns false, by bisection to the last bits.
template <class Predicate>
[[nodiscard]] double boundary(double low, double high, Predicate holds) {
  for (int bit = 0; bit < 60; ++bit) {
    const double middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return high;
}

}  // namespace headroom::theory
