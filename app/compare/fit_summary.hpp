#pragma once

#include <span>

#include "app/compare/fit_heads.hpp"
#include "app/compare/measure.hpp"
#include "app/json.hpp"

namespace headroom::app {

/// Whether every match was reached.
[[nodiscard]] bool all_reached(std::span<const HeadFits> fits);

/// What run.json says of the fits of a run with a match: the `target`, what softmax has of the matched quantity, and
/// for every normalizer the fitted `temperature`, and `effective_scale` where there is one, each as min, median and max
/// over the heads that were matched (null where none was); those that were not as `unmatched`, "layer.head"; and,
/// where `measured` is not empty, the head whose value is farthest from its target as `largest_deviation`.
/// @param measured nothing, or the comparisons these fits gave
[[nodiscard]] Json fit_summary(std::span<const HeadFits> fits, std::span<const HeadComparison> measured,
                               const CompareOptions& options);

}  // namespace headroom::app
