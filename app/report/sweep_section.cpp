#include <optional>

#include "app/report/sections.hpp"
#include "app/report/short_names.hpp"
#include "app/report/swept_grid.hpp"
#include "app/report/table_json.hpp"

namespace headroom::app {

Json sweep_section(ResultFolder& folder, std::size_t cells) {
  const std::optional<SweptGrid> grid = swept_grid(folder, cells);
  if (!grid) return {{"tables", {{"records", table_json(swept_records(folder, cells))}}}};
  Json constants = Json::object();
  for (const auto& [name, value] : grid->constants) constants[name] = value;
  return {{"axes", grid->axes},
          {"constants", std::move(constants)},
          {"quantities", grid->quantities},
          {"said", grid->said},
          {"counts",
           {{"done", grid->counts.done},
            {"begun", grid->counts.partial},
            {"missing", grid->counts.missing},
            {"failed", grid->counts.failed}}},
          {"short", short_names(grid->table)},
          {"tables", {{"cells", table_json(grid->table)}}}};
}

}  // namespace headroom::app
