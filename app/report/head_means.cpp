#include "app/report/head_means.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "verify/statistics/moments.hpp"

namespace headroom::app {
namespace {

bool among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Table means_over_heads(const Table& table, const std::vector<std::string>& keys,
                       const std::vector<std::string>& left_out) {
  std::vector<std::size_t> key_columns;
  std::vector<std::size_t> measured;
  std::vector<Column> columns;
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const Column& column = table.columns()[c];
    if (among(keys, column.name)) {
      key_columns.push_back(c);
      columns.push_back(column);
    } else if (column.kind != Column::Kind::text && !among(left_out, column.name)) {
      measured.push_back(c);
    }
  }
  columns.push_back({"heads"});
  for (const std::size_t c : measured) {
    columns.push_back({table.columns()[c].name, Column::Kind::optional_number});
    columns.push_back({table.columns()[c].name + "_se", Column::Kind::optional_number});
  }

  struct Group {
    std::vector<Cell> key;
    double heads = 0;
    std::vector<verify::Moments> moments;
  };
  std::vector<Group> groups;
  std::map<std::vector<Cell>, std::size_t> place;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<Cell> key;
    for (const std::size_t c : key_columns) key.push_back(table.cell(row, c));
    const auto [found, fresh] = place.try_emplace(key, groups.size());
    if (fresh) groups.push_back({key, 0, std::vector<verify::Moments>(measured.size())});
    Group& group = groups[found->second];
    group.heads += 1;
    for (std::size_t q = 0; q < measured.size(); ++q) {
      const double* value = std::get_if<double>(&table.cell(row, measured[q]));
      if (value != nullptr && std::isfinite(*value)) group.moments[q].add(*value);
    }
  }

  Table means(std::move(columns), table.source());
  for (Group& group : groups) {
    std::vector<Cell> row = std::move(group.key);
    row.emplace_back(group.heads);
    for (const verify::Moments& moments : group.moments) {
      row.emplace_back();
      if (moments.count > 0) row.back() = moments.mean;
      row.emplace_back();
      if (moments.count > 1) row.back() = moments.standard_error();
    }
    means.add(std::move(row));
  }
  return means;
}

}  // namespace headroom::app
