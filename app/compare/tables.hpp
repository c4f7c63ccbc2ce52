#pragma once

#include <span>
#include <string>

#include "app/compare/measure.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// heads.csv: a row per head, normalizer, length and N.
[[nodiscard]] Table compare_heads_table(std::span<const HeadComparison> heads, const CompareOptions& options);

/// normalizers.csv: a row per normalizer, length and N: the critical N of that length against E₁, and last
/// against E₀, and of every number the mean
/// over heads and, `_sd`, its standard deviation over heads.
[[nodiscard]] Table compare_normalizers_table(std::span<const HeadComparison> heads, const CompareOptions& options);

/// normalizers.csv for a terminal: one line per normalizer at the full length.
[[nodiscard]] std::string compare_text(const Table& normalizers, const CompareOptions& options);

}  // namespace headroom::app
