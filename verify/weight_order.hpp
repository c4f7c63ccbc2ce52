#pragma once

#include <cstdint>
#include <span>

namespace headroom::verify {

/// Positions of the weights in decreasing order, the lower position first among equals. Weights are >= 0 and no NaN;
/// `order` has their number of entries.
void sort_descending(std::span<const double> weights, std::span<std::uint32_t> order);

/// Positions by increasing depth below the largest, depths being ≤ 0 and rounded to single precision for the
/// comparison: half the time of exact order.
void sort_by_depth(std::span<const double> depths, std::span<std::uint32_t> order);

}  // namespace headroom::verify
