#pragma once

#include <cstddef>

#include "verify/claims/point_input.hpp"

namespace headroom::verify {

/// How many different inputs structured_input() gives of one shape.
inline constexpr std::size_t structured_inputs = 15;

/// Inputs that random draws miss or give only nearly: all logits tied, one ahead of or behind the rest by all that the
/// domain allows, two tied ahead, alternating extremes; each at the least, the middle and the largest temperature; with
/// vectors along the axes, all alike, or in opposite pairs. `index` is taken modulo structured_inputs.
[[nodiscard]] PointInput structured_input(const Shape& shape, const Domain& domain, std::size_t index);

}  // namespace headroom::verify
