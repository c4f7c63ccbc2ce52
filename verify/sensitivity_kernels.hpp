#pragma once

#include <cstddef>

namespace headroom::verify {

// Kernels of Algorithm 5. Arrays are padded to `lane_group` (row_kernels.hpp): logits with the lowest finite value, the
// rest with zeros.

/// max |v_i|.
double longest_component(const double* direction, std::size_t padded);

/// α = exp((l − largest)/T)/Z.
void softmax_row(const double* logits, std::size_t padded, double largest, double temperature, double* alpha);

/// change = softmax(log α + scale·v) − α for steps so small that expm1 keeps them; `top` is the dominant token, whose
/// change is minus the sum of the others', or `padded` when no weight exceeds 1/2. Returns ‖change‖₂.
double small_change(const double* alpha, const double* direction, double scale, std::size_t padded, std::size_t top,
                    double* change);

/// The same for steps of any size, from the logits: change = softmax(l/T + scale·v) − α.
double large_change(const double* logits, const double* alpha, const double* direction, double temperature,
                    double scale, std::size_t padded, std::size_t top, double* change);

}  // namespace headroom::verify
