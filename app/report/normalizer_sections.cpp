#include <optional>
#include <string>
#include <vector>

#include "app/report/normalizer_tables.hpp"
#include "app/report/sections.hpp"
#include "app/report/short_names.hpp"
#include "app/report/table_json.hpp"
#include "app/report/thinning.hpp"

namespace headroom::app {
namespace {

void add(Json& tables, ResultFolder& folder, const std::string& name, const std::optional<Table>& table,
         const std::vector<std::string>& axes, std::size_t cells) {
  if (!table) return;
  const Thinned thin = thinned(*table, axes, cells);
  for (const std::string& note : thin.notes) folder.note(note);
  tables[name] = table_json(thin.table);
}

}  // namespace

Json compare_section(ResultFolder& folder, std::size_t cells) {
  Json tables = Json::object();
  Json names = Json::object();
  if (const auto normalizers = compared_normalizers(folder)) {
    add(tables, folder, "normalizers", normalizers, {"length", "top", "normalizer"}, cells);
    names = short_names(*normalizers);
    if (const auto grid = frontier_beside(*normalizers)) {
      tables["curves"] = table_json(frontier_curves(*grid));
      tables["frontier"] = table_json(frontier_table(*grid));
    }
  }
  if (const auto heads = compared_heads(folder)) {
    add(tables, folder, "heads", heads, {"length", "top", "head", "layer"}, cells);
    names.update(short_names(*heads));
  }
  return {{"short", std::move(names)}, {"tables", std::move(tables)}};
}

Json diagnose_section(ResultFolder& folder, std::size_t cells) {
  Json tables = Json::object();
  add(tables, folder, "heads", diagnosed_heads(folder), {"head", "layer"}, cells);
  return {{"tables", std::move(tables)}};
}

Json frontier_section(ResultFolder& folder, std::size_t cells) {
  Json tables = Json::object();
  Json names = Json::object();
  const auto points = frontier_points(folder);
  const auto curves = frontier_curves(folder);
  if (points) names = short_names(*points);
  if (curves) names.update(short_names(*curves));
  add(tables, folder, "frontier", points, {"length", "weight"}, cells);
  add(tables, folder, "curves", curves, {"length", "weight"}, cells);
  return {{"short", std::move(names)}, {"tables", std::move(tables)}};
}

}  // namespace headroom::app
