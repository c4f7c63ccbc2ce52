#pragma once

#include <cstddef>
#include <span>

#include "verify/claims/exact.hpp"

namespace headroom::verify {

/// ‖A‖₂ of a row-major n × n matrix: the square root of the largest eigenvalue of AᵀA, by Jacobi rotations. O(n³) per
/// sweep.
[[nodiscard]] Exact dense_norm(std::span<const Exact> matrix, std::size_t n);

/// ‖A‖₂ by a singular value decomposition.
[[nodiscard]] double dense_norm(std::span<const double> matrix, std::size_t n);

}  // namespace headroom::verify
