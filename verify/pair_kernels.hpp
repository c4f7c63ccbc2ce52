#pragma once

#include <cstddef>

namespace headroom::verify {

/// What the distances ‖x−x_j‖² = ‖x‖² + ‖x_j‖² − 2x·x_j of one vector x come to, from its inner products with the
/// others. Both are exact choices among the same rounded squares, so they do not depend on the vector width.

/// max(0, max_j ‖x_j‖² − 2x·x_j), to which ‖x‖² is still to be added.
/// @param inner x·x_j   @param norm2 ‖x_j‖², both of `size` numbers
[[nodiscard]] double farthest_excess(const double* inner, const double* norm2, std::size_t size);

struct NearestPair {
  double square = 0;       ///< the smallest ‖x−x_j‖²; infinity for none
  bool cancelled = false;  ///< one of the squares is below cancellation_share of its terms, and so not to be trusted
};

/// @param own ‖x‖²
[[nodiscard]] NearestPair nearest_square(const double* inner, const double* norm2, double own, std::size_t size);

}  // namespace headroom::verify
