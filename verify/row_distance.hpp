#pragma once

#include <cstddef>

#include "verify/row.hpp"

namespace headroom::verify {

// The quantities of THEORY.md Section 2 for the current selection of a row, in the row's scaled weights. Every sum of
// lengths is taken from the Gram products, and again from the vectors wherever cancellation would cost more than the
// stated error.

/// D(I_N).
[[nodiscard]] double distance(const Row& row);

/// Σ_i ‖p(c−y_i) − y_i‖ over the visible tokens.
[[nodiscard]] double expected_terms(const Row& row, double p);

/// Fills row.spread with S_i²; returns nothing new when the row has two tokens (all zero).
void find_spread(Row& row);

/// Σ_i sqrt(m_i² + N(1−p)S_i²).
[[nodiscard]] double expected_upper_terms(const Row& row, double p, std::size_t top);

/// The two sides of thm1.fixed.sharp.
struct SharpDistance {
  double lower = 0;
  double upper = 0;
};
[[nodiscard]] SharpDistance sharp_distance(const Row& row);

/// The printed bound of thm1.fixed. d₁ comes from the lists of farthest tokens where the embeddings have them, else
/// from row.far.
[[nodiscard]] double printed_distance(const Row& row);

}  // namespace headroom::verify
