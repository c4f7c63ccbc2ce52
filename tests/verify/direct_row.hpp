#pragma once

#include <cstddef>
#include <vector>

#include "core/matrix_view.hpp"
#include "verify/quantity.hpp"

namespace headroom::verify::testing {

/// Every quantity of one row but the law and the Jacobian norm, straight from the definitions (docs/quantities.md),
/// with all differences of vectors formed before any norm is taken, in long double. Slow and plain on purpose.
///
/// @param weights of the visible tokens   @param vectors (tokens × d) of the same tokens
/// @param largest_norm M   @param spacing δ
std::vector<double> direct_row(const std::vector<double>& weights, MatrixView<const double> vectors, std::size_t top,
                               double largest_norm, double spacing);

}  // namespace headroom::verify::testing
