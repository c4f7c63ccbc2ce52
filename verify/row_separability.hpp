#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "verify/row.hpp"

namespace headroom::verify {

/// N_s and r (docs/quantities.md) for the current selection, r in the row's scaled weights. Separable tokens are
/// those whose u_i is strictly below every non-selected one's; where u may have underflowed the products are compared
/// in a wider exponent range.
struct Separation {
  std::size_t count = 0;
  double radius = 0;
};
template <class Real>
[[nodiscard]] Separation separate(Row<Real>& row);

/// The bounds of Theorem 2 at radius r.
struct SeparabilityBounds {
  double xi_mean = 0;
  double lower = 0;        ///< thm2.lower, printed; −inf at r = 0
  double upper = 0;        ///< thm2.upper, printed
  double lower_sharp = 0;  ///< thm2.lower.sharp
};

/// @param selected weights of I_N, unscaled
/// @param largest_norm M   @param spacing δ   @param scratch reused memory
[[nodiscard]] SeparabilityBounds separability_bounds(std::span<const double> selected, double largest_norm,
                                                     double spacing, double radius, std::vector<double>& scratch);

}  // namespace headroom::verify
