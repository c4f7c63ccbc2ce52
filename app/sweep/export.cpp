#include <algorithm>

#include "app/csv.hpp"
#include "app/output.hpp"
#include "app/sweep/hdf5.hpp"
#include "app/sweep/opened.hpp"
#include "app/sweep/pooled.hpp"
#include "app/sweep/results.hpp"
#include "app/sweep/sqlite.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

/// The columns of an export: the keys of the kind, then what was measured.
std::vector<SqliteColumn> columns_of(const verify::sweep::Kind& kind) {
  std::vector<SqliteColumn> columns;
  for (const verify::sweep::GridKey& key : kind.keys()) {
    using Type = verify::sweep::GridKey::Type;
    columns.push_back({key.name, key.type == Type::text ? "TEXT" : key.type == Type::whole ? "INTEGER" : "REAL"});
  }
  for (const char* text : {"cell", "quantity"}) columns.push_back({text, "TEXT"});
  columns.push_back({"count", "INTEGER"});
  for (const char* number : {"mean", "standard_error", "squared_deviations"}) columns.push_back({number, "REAL"});
  columns.push_back({"text", "TEXT"});
  return columns;
}

/// Calls `row` with the cells of every row.
void for_each_row(const OpenedSweep& sweep, const std::function<void(const std::vector<Cell>&)>& row) {
  const verify::sweep::Kind& kind = sweep.plan->kind();
  const std::span<const verify::sweep::GridKey> keys = kind.keys();
  for_each_pooled(*sweep.plan, sweep.index, [&](const verify::sweep::GridWalk& walk, const PooledGroup& group) {
    std::vector<Cell> cells;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const verify::sweep::Value& value = walk.values()[k];
      if (keys[k].name == kind.grouped()) {
        cells.emplace_back(static_cast<double>(group.group));
      } else if (const double* number = std::get_if<double>(&value)) {
        cells.emplace_back(*number);
      } else {
        cells.emplace_back(std::get<std::string>(value));
      }
    }
    cells.emplace_back(verify::sweep::hash_text(group.cell));
    const std::size_t fixed = cells.size();
    for (const auto& [name, moments] : group.values) {
      cells.resize(fixed);
      cells.emplace_back(name);
      cells.emplace_back(static_cast<double>(moments.count));
      cells.emplace_back(moments.mean);
      cells.emplace_back();
      if (moments.count > 1) cells.back() = moments.standard_error();
      cells.emplace_back(moments.squared_deviations);
      cells.emplace_back();
      row(cells);
    }
    for (const auto& [name, text] : group.said) {
      cells.resize(fixed);
      cells.emplace_back(name);
      cells.resize(cells.size() + 4);
      cells.emplace_back(text);
      row(cells);
    }
  });
}

/// How long the texts are shows only once all were looked at.
std::vector<Hdf5Column> hdf5_columns(const OpenedSweep& sweep, const std::vector<SqliteColumn>& columns) {
  using Type = Hdf5Column::Type;
  std::vector<Hdf5Column> result;
  for (const SqliteColumn& column : columns) {
    const Type type = column.type == "TEXT" ? Type::text : column.type == "INTEGER" ? Type::whole : Type::number;
    result.push_back({column.name, type});
  }
  for_each_row(sweep, [&](const std::vector<Cell>& row) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (const auto* text = std::get_if<std::string>(&row[k]))
        result[k].bytes = std::max(result[k].bytes, text->size());
    }
  });
  return result;
}

}  // namespace

void export_sweep(const std::string& folder, const fs::path& to) {
  const std::string extension = to.extension().string();
  const bool sqlite = extension == ".sqlite" || extension == ".db";
  const bool hdf5 = extension == ".h5" || extension == ".hdf5";
  if (!sqlite && !hdf5 && extension != ".csv") {
    throw_usage("there is no format for '" + extension + "'", "--to",
                "name a file ending in .csv, .sqlite, .db, .h5 or .hdf5");
  }
  const auto sweep = open_sweep(folder);
  const std::vector<SqliteColumn> columns = columns_of(sweep->plan->kind());
  if (sqlite) {
    check_output_file(to);
    SqliteFile file(to, "results", columns);
    for_each_row(*sweep, [&](const std::vector<Cell>& row) { file.add(row); });
    file.commit();
    return;
  }
  if (hdf5) {
    check_output_file(to);
    Hdf5File file(to, "results", hdf5_columns(*sweep, columns));
    for_each_row(*sweep, [&](const std::vector<Cell>& row) { file.add(row); });
    file.commit();
    return;
  }
  OutputFile file(to);
  std::vector<Cell> header;
  for (const SqliteColumn& column : columns) header.emplace_back(column.name);
  file.write(csv_line(header));
  for_each_row(*sweep, [&](const std::vector<Cell>& row) { file.write(csv_line(row)); });
  file.commit();
}

}  // namespace headroom::app
