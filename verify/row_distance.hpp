#pragma once

#include <cstddef>

#include "verify/row.hpp"

namespace headroom::verify {

// The distances of docs/quantities.md for the current selection of a row, in the row's scaled weights. Every sum of
// lengths is taken from the Gram products, and again from the vectors wherever cancellation would cost more than the
// stated error.

/// D(I_N).
template <class Real>
[[nodiscard]] double distance(const Row<Real>& row);

/// Σ_i ‖p(c−y_i) − y_i‖ over the visible tokens.
template <class Real>
[[nodiscard]] double expected_terms(const Row<Real>& row, double p);

/// Fills row.spread with S_i²; returns nothing new when the row has two tokens (all zero).
template <class Real>
void find_spread(Row<Real>& row);

/// Σ_i sqrt(m_i² + N(1−p)S_i²).
template <class Real>
[[nodiscard]] double expected_upper_terms(const Row<Real>& row, double p, std::size_t top);

/// The two sides of thm1.fixed.sharp.
struct SharpDistance {
  double lower = 0;
  double upper = 0;
};
template <class Real>
[[nodiscard]] SharpDistance sharp_distance(const Row<Real>& row);

/// The printed bound of thm1.fixed, d₁ from row.far, which is brought up to date where G is at hand.
template <class Real>
[[nodiscard]] double printed_distance(Row<Real>& row);

}  // namespace headroom::verify
