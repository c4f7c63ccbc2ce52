#include "app/report/reproduce_tables.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "verify/quantity.hpp"

namespace headroom::app {
namespace {

// A run says which figures it was to make; an older one is taken to have made all.
bool wanted(const Json& run, const std::string& option) {
  if (!run.is_object() || !run.contains("figures") || !run["figures"].is_array()) return true;
  const Json& figures = run["figures"];
  return std::find(figures.begin(), figures.end(), Json(option)) != figures.end();
}

Column::Kind kind_in(const std::vector<Column>& columns, std::string_view name) {
  for (const Column& column : columns) {
    if (column.name == name) return column.kind;
  }
  return Column::Kind::number;
}

}  // namespace

std::optional<Table> figure_table(ResultFolder& folder, const FigureFile& figure) {
  if (!wanted(folder.run(), figure.option)) return std::nullopt;
  std::vector<std::string> needed;
  for (const Column& column : figure.columns(WindowCount::one)) needed.push_back(column.name);
  const std::vector<Column> columns = figure.columns(WindowCount::several);
  const auto kind = [&](std::string_view name) { return kind_in(columns, name); };
  return folder.table(std::string(figure.name) + ".csv", kind, needed);
}

std::optional<Table> heads_of(ResultFolder& folder) {
  std::vector<std::string> needed = {"layer", "head", "length", "top", "rows"};
  for (const std::string_view quantity : verify::quantity_names) needed.emplace_back(quantity);
  return folder.table(
      "heads.csv", [](std::string_view) { return Column::Kind::number; }, needed);
}

}  // namespace headroom::app
