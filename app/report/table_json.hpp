#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// A table as the page reads it: {"columns": [name, …], "rows": n, "data": [[values of a column], …]}; numbers exactly,
/// what is not finite as in json_number(), empty cells as null.
[[nodiscard]] Json table_json(const Table& table);

/// A table cut down to at most `cells` cells.
struct Thinned {
  Table table;
  std::vector<std::string> notes;  ///< what was left out, one sentence per axis
};

/// Thins a table over a grid without picking rows by chance: the axis with the most values loses every second one,
/// never its first or last, until the rest fits; so every row that stays is exactly a row of the file.
/// @param axes columns of numbers, those that may be thinned first coming first among equals
[[nodiscard]] Thinned thinned(const Table& table, const std::vector<std::string>& axes, std::size_t cells);

}  // namespace headroom::app
