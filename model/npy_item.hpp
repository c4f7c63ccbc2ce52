#pragma once

#include <cstddef>
#include <span>

#include "model/npy_header.hpp"

namespace headroom::model {

/// Widens elements of a .npy file to float64, exactly; they lie `step` elements apart, and their results `out_step`
/// apart, out[0], out[out_step] … Infinities stay, NaNs stay NaNs.
/// @param items from the first element to the last of `count`, or further
void widen_items(const NpyHeader& header, std::span<const std::byte> items, std::size_t step, std::size_t count,
                 double* out, std::size_t out_step);

}  // namespace headroom::model
