#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::verify {

/// The active set of a row: the smallest number of tokens, largest weights first, that together hold at least `share`
/// of the row's weight. Expected O(n) by selection, no sorting.
/// @param weights ≥ 0; a row of zeros, or an empty one, has 0   @param share in (0, 1]
/// @param scratch memory of the thread
[[nodiscard]] std::size_t active_set(std::span<const double> weights, double share, std::vector<double>& scratch);

}  // namespace headroom::verify
