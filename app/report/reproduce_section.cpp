#include "app/report/reproduce_tables.hpp"
#include "app/report/sections.hpp"
#include "app/report/table_json.hpp"
#include "app/report/thinning.hpp"

namespace headroom::app {

Json reproduce_section(ResultFolder& folder, std::size_t cells) {
  Json tables = Json::object();
  for (const FigureFile& figure : figure_files) {
    if (const auto table = figure_table(folder, figure)) tables[figure.name] = table_json(*table);
  }
  if (const auto heads = heads_of(folder)) {
    const Thinned thin = thinned(*heads, {"top", "length", "head", "layer"}, cells);
    for (const std::string& note : thin.notes) folder.note(note);
    tables["heads"] = table_json(thin.table);
  }
  return {{"tables", std::move(tables)}};
}

}  // namespace headroom::app
