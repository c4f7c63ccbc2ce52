#pragma once

#include "app/json.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// A table as the page reads it: {"columns": [name, …], "rows": n, "data": [COLUMN, …]}. A column of numbers is the
/// list of its values, exactly, what is not finite as in json_number() and empty cells as null; one of texts is
/// {"texts": [every text once], "at": [for each row, which]}.
[[nodiscard]] Json table_json(const Table& table);

}  // namespace headroom::app
