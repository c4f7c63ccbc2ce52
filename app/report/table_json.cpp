#include "app/report/table_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace headroom::app {
namespace {

Json cell_json_value(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return json_number(*number);
  if (const std::string* text = std::get_if<std::string>(&cell)) return *text;
  return nullptr;
}

// The values of an axis that the rows still have.
struct Axis {
  std::string name;
  std::vector<double> of_row;
  std::set<double> kept;
  std::size_t all = 0;
};

std::set<double> halved(const std::set<double>& values) {
  std::set<double> half;
  std::size_t index = 0;
  for (const double value : values) {
    if (index % 2 == 0 || index + 1 == values.size()) half.insert(value);
    ++index;
  }
  return half;
}

std::vector<std::size_t> kept_rows(const std::vector<Axis>& axes, std::size_t rows) {
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < rows; ++row) {
    const bool keep =
        std::all_of(axes.begin(), axes.end(), [row](const Axis& axis) { return axis.kept.contains(axis.of_row[row]); });
    if (keep) kept.push_back(row);
  }
  return kept;
}

}  // namespace

Json table_json(const Table& table) {
  Json columns = Json::array();
  Json data = Json::array();
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    columns.push_back(table.columns()[c].name);
    Json values = Json::array();
    for (std::size_t row = 0; row < table.rows(); ++row) values.push_back(cell_json_value(table.cell(row, c)));
    data.push_back(std::move(values));
  }
  return {{"columns", std::move(columns)}, {"rows", table.rows()}, {"data", std::move(data)}};
}

Thinned thinned(const Table& table, const std::vector<std::string>& names, std::size_t cells) {
  const std::size_t width = table.columns().size();
  if (table.rows() * width <= cells) return {table, {}};
  std::vector<Axis> axes;
  for (const std::string& name : names) {
    Axis axis{name, table.numbers(name), {}, 0};
    axis.kept.insert(axis.of_row.begin(), axis.of_row.end());
    axis.all = axis.kept.size();
    axes.push_back(std::move(axis));
  }
  std::vector<std::size_t> rows = kept_rows(axes, table.rows());
  while (rows.size() * width > cells) {
    const auto longest = std::max_element(axes.begin(), axes.end(),
                                          [](const Axis& a, const Axis& b) { return a.kept.size() < b.kept.size(); });
    if (longest == axes.end() || longest->kept.size() <= 2) break;
    longest->kept = halved(longest->kept);
    rows = kept_rows(axes, table.rows());
  }
  Thinned result{Table({table.columns().begin(), table.columns().end()}, table.source()), {}};
  for (const std::size_t row : rows) {
    std::vector<Cell> copy;
    for (std::size_t c = 0; c < width; ++c) copy.push_back(table.cell(row, c));
    result.table.add(std::move(copy));
  }
  for (const Axis& axis : axes) {
    if (axis.kept.size() == axis.all) continue;
    result.notes.push_back(
        fmt::format("{} is too large for a page: {} of its {} values of {} are shown, the file has all", table.source(),
                    axis.kept.size(), axis.all, axis.name));
  }
  return result;
}

}  // namespace headroom::app
