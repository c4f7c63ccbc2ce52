#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/frontier/grid.hpp"
#include "app/report/result_folder.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// A CSV file that compare, diagnose or frontier wrote; any number in it but those of its axes may be missing: a weight
/// out of reach, a head without a slope. Nothing where the file is not there or malformed, which is noted.
[[nodiscard]] std::optional<Table> normalizer_table(ResultFolder& folder, const std::string& file,
                                                    const std::vector<std::string>& axes,
                                                    const std::vector<std::string>& needed);

[[nodiscard]] std::optional<Table> compared_heads(ResultFolder& folder);
[[nodiscard]] std::optional<Table> compared_normalizers(ResultFolder& folder);
[[nodiscard]] std::optional<Table> diagnosed_heads(ResultFolder& folder);
[[nodiscard]] std::optional<Table> frontier_points(ResultFolder& folder);
[[nodiscard]] std::optional<Table> frontier_curves(ResultFolder& folder);

/// Those of some normalizers that this program knows, each once, in their order.
[[nodiscard]] std::vector<std::string> known_normalizers(const std::vector<std::string>& names);

/// The frontier to show beside what compare measured: of its normalizers, as far as this program knows them, at the
/// longest context and T = 1. Nothing where none is known.
[[nodiscard]] std::optional<FrontierGrid> frontier_beside(const Table& normalizers);

}  // namespace headroom::app
