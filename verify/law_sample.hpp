#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/head.hpp"
#include "theory/resolution_law.hpp"

namespace headroom::verify {

/// Means of the resolution law over the rows of a causal head, from evenly spaced rows of each length band (L₀, L₁],
/// (L₁, L₂] … weighted by the rows they stand for: the integrals are dear, and neighbouring rows differ little.
///
/// @param weights read only where visible
/// @param lengths ascending; the result has a row per length, a column per N
/// @param rows_per_band rows measured in each band, or all of it when it has fewer
/// @returns (lengths × tops), NaN where no row has more than N tokens
[[nodiscard]] std::vector<std::vector<double>> sample_law(const HeadView& head, const theory::ResolutionLaw& law,
                                                          std::span<const std::size_t> tops,
                                                          std::span<const std::size_t> lengths,
                                                          std::size_t rows_per_band);

}  // namespace headroom::verify
