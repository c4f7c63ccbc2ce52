#include <optional>
#include <string>
#include <vector>

#include "app/report/head_means.hpp"
#include "app/report/normalizer_tables.hpp"
#include "app/report/sections.hpp"
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
  if (const auto heads = compared_heads(folder)) {
    const Table means = means_over_heads(*heads, {"normalizer", "length", "top"}, {"layer", "head", "temperature"});
    add(tables, folder, "means", means, {"length", "top"}, cells);
    add(tables, folder, "heads", heads, {"length", "top", "head", "layer"}, cells);
  }
  add(tables, folder, "normalizers", normalizer_table(folder, "normalizers.csv", {}, {"normalizer"}), {}, cells);
  return {{"tables", std::move(tables)}};
}

Json diagnose_section(ResultFolder& folder, std::size_t cells) {
  Json tables = Json::object();
  add(tables, folder, "heads", diagnosed_heads(folder), {"head", "layer"}, cells);
  return {{"tables", std::move(tables)}};
}

Json frontier_section(ResultFolder& folder, std::size_t cells) {
  Json tables = Json::object();
  add(tables, folder, "frontier", frontier_points(folder), {"length", "weight"}, cells);
  add(tables, folder, "curves", frontier_curves(folder), {"length", "weight"}, cells);
  return {{"tables", std::move(tables)}};
}

}  // namespace headroom::app
