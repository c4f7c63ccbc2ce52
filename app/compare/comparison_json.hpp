#pragma once

#include <span>

#include "app/compare/measure.hpp"
#include "app/json.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// What `compare --json` shows, schema headroom.comparison/1: `means`, an object per row of normalizers.csv under the
/// names of its columns, null for an empty cell; and where something was matched `fits`, one per head and normalizer,
/// with the `target` and the `value` of the matched quantity at the fitted temperature.
/// @param normalizers compare_normalizers_table of the same heads
[[nodiscard]] Json comparison_json(std::span<const HeadComparison> heads, const Table& normalizers,
                                   const CompareOptions& options);

}  // namespace headroom::app
