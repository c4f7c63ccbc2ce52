#include "app/reproduce/pooled_tables.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/figures.hpp"
#include "app/reproduce/tables.hpp"
#include "verify/quantity.hpp"
#include "verify/statistics/moments.hpp"

namespace headroom::app {
namespace {

// The table under more columns; the cells of the new ones are still to come.
std::vector<std::vector<Cell>> cells_of(const Table& table) {
  std::vector<std::vector<Cell>> rows(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t c = 0; c < table.columns().size(); ++c) rows[row].push_back(table.cell(row, c));
  }
  return rows;
}

Table assemble(std::vector<Column> columns, const std::string& source, std::vector<std::vector<Cell>> rows) {
  Table table(std::move(columns), source);
  for (std::vector<Cell>& row : rows) table.add(std::move(row));
  return table;
}

// Appends the ends of the interval of each named column, whose standard errors stand in the same place of `errors`.
void append_intervals(std::vector<std::vector<Cell>>& rows, const Table& means, const Table& errors,
                      std::span<const std::string> names, std::size_t windows) {
  assert(errors.rows() == means.rows());
  const double reach = interval_half_width(1, windows);
  for (const std::string& name : names) {
    const std::vector<double> mean = means.numbers(name);
    const std::vector<double> error = errors.numbers(name);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      rows[row].emplace_back(mean[row] - reach * error[row]);
      rows[row].emplace_back(mean[row] + reach * error[row]);
    }
  }
}

using RecordTable = Table (*)(std::span<const HeadRecord>, const Grids&);

Table over_heads_with_intervals(const WindowPool& pool, RecordTable make, std::vector<Column> columns,
                                const std::vector<std::string>& names) {
  const Table means = make(pool.means(), pool.grids());
  if (pool.count() < 2) return means;
  const std::vector<HeadRecord> error = {pool.standard_error_over_heads()};
  std::vector<std::vector<Cell>> rows = cells_of(means);
  append_intervals(rows, means, make(error, pool.grids()), names, pool.count());
  return assemble(std::move(columns), means.source(), std::move(rows));
}

// Mean of the values at each N.
std::map<double, double> mean_by_top(const Table& table, const std::string& name) {
  std::map<double, verify::Moments> sums;
  const std::vector<double> top = table.numbers("top");
  const std::vector<double> value = table.numbers(name);
  for (std::size_t row = 0; row < top.size(); ++row) sums[top[row]].add(value[row]);
  std::map<double, double> result;
  for (const auto& [n, moments] : sums) result[n] = moments.mean;
  return result;
}

}  // namespace

Table figure2a_table(const WindowPool& pool) {
  return over_heads_with_intervals(pool, figure2a_table, figure2_columns(WindowCount::several), figure2_measures());
}

Table figure2b_table(const WindowPool& pool) {
  return over_heads_with_intervals(pool, figure2b_table, figure2_columns(WindowCount::several), figure2_measures());
}

Table figure2c_table(const WindowPool& pool) {
  if (pool.count() < 2) return pool.critical_tables().front();
  const Table pooled = figure2c_table(pool.means(), pool.grids());
  std::vector<std::vector<Cell>> rows = cells_of(pooled);
  std::vector<std::vector<double>> found(rows.size());
  for (const Table& window : pool.critical_tables()) {
    const std::vector<std::optional<double>> tops = window.optional_numbers("critical_top");
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (tops[row]) found[row].push_back(*tops[row]);
    }
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (found[row].empty()) {
      rows[row].insert(rows[row].end(), {Cell{}, Cell{}});
    } else {
      const auto [smallest, largest] = std::minmax_element(found[row].begin(), found[row].end());
      rows[row].insert(rows[row].end(), {*smallest, *largest});
    }
    rows[row].emplace_back(static_cast<double>(found[row].size()));
  }
  return assemble(figure2c_columns(WindowCount::several), pooled.source(), std::move(rows));
}

Table figure3_table(const WindowPool& pool) {
  const Table means = figure3_table(pool.means(), pool.grids());
  if (pool.count() < 2) return means;
  std::vector<std::vector<Cell>> rows = cells_of(means);
  append_intervals(rows, means, figure3_table(pool.standard_errors(), pool.grids()), figure3_measures(), pool.count());

  const std::vector<HeadRecord> error = {pool.standard_error_over_heads()};
  const std::map<double, double> mean = mean_by_top(means, "separable");
  const std::map<double, double> spread = mean_by_top(figure3_table(error, pool.grids()), "separable");
  const std::vector<double> top = means.numbers("top");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double centre = mean.at(top[row]);
    const double half = interval_half_width(spread.at(top[row]), pool.count());
    rows[row].insert(rows[row].end(), {centre, centre - half, centre + half});
  }
  return assemble(figure3_columns(WindowCount::several), means.source(), std::move(rows));
}

Table figure4_table(const WindowPool& pool) {
  return over_heads_with_intervals(pool, figure4_table, figure4_columns(WindowCount::several), figure4_measures());
}

Table heads_table(const WindowPool& pool) {
  const Table means = heads_table(pool.means(), pool.grids());
  if (pool.count() < 2) return means;
  const Table errors = heads_table(pool.standard_errors(), pool.grids());
  std::vector<Column> columns(means.columns().begin(), means.columns().end());
  std::vector<std::vector<Cell>> rows = cells_of(means);
  for (std::string_view measure : verify::quantity_names) {
    const std::string name(measure);
    columns.push_back({name + "_se"});
    const std::vector<double> error = errors.numbers(name);
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row].emplace_back(error[row]);
  }
  return assemble(std::move(columns), means.source(), std::move(rows));
}

}  // namespace headroom::app
