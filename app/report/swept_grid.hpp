#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/report/result_folder.hpp"
#include "app/table.hpp"
#include "verify/sweep/sweep_plan.hpp"

namespace headroom::app {

/// The cells of a sweep as a report shows them: a row for every cell and value of the grouped key that has trials.
struct SweptGrid {
  std::vector<std::string> axes;                               ///< the keys with several values, in the kind's order
  std::vector<std::pair<std::string, std::string>> constants;  ///< the other keys, as texts
  std::vector<std::string> quantities;                         ///< what was measured, in the order of appearance
  std::vector<std::string> said;                               ///< what was found and is no number, e.g. a verdict
  verify::sweep::Counts counts;
  /// The axes, `trials`, of every quantity its mean and standard error (QUANTITY and QUANTITY_se, empty where there is
  /// none), and what was said.
  Table table;
};

/// Reads a sweep and thins it to `cells` cells while it is read. Shards that are missing, torn or damaged, cells that
/// are missing or failed and what was left out are noted in the folder, and the rest is read. Nothing where there is no
/// grid to read by. Throws Error(Fault::input) for shards of a newer schema.
[[nodiscard]] std::optional<SweptGrid> swept_grid(ResultFolder& folder, std::size_t cells);

/// What the shards hold where their grid cannot be read: a row per cell, seed and group, with the cell's parameters as
/// one text; at most `cells` cells of the table.
[[nodiscard]] Table swept_records(ResultFolder& folder, std::size_t cells);

}  // namespace headroom::app
