#include "app/table.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/error.hpp"
#include "core/nearest.hpp"

namespace headroom::app {
namespace {

[[maybe_unused]] bool fits(const Cell& cell, Column::Kind kind) {
  switch (kind) {
    case Column::Kind::number:
      return std::holds_alternative<double>(cell);
    case Column::Kind::optional_number:
      return !std::holds_alternative<std::string>(cell);
    case Column::Kind::text:
      return std::holds_alternative<std::string>(cell);
  }
  return false;
}

}  // namespace

Table::Table(std::vector<Column> columns, std::string source)
    : columns_(std::move(columns)), source_(std::move(source)) {
  assert(!columns_.empty());
}

void Table::add(std::vector<Cell> row) {
  assert(row.size() == columns_.size());
  for (std::size_t i = 0; i < row.size(); ++i) assert(fits(row[i], columns_[i].kind));
  rows_.push_back(std::move(row));
}

bool Table::has(std::string_view name) const {
  return std::any_of(columns_.begin(), columns_.end(), [name](const Column& column) { return column.name == name; });
}

std::size_t Table::index(std::string_view name, Column::Kind kind) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name != name) {
      names.push_back(columns_[i].name);
      continue;
    }
    const bool number_wanted = kind == Column::Kind::optional_number && columns_[i].kind == Column::Kind::number;
    if (columns_[i].kind == kind || number_wanted) return i;
    throw_input("the column '" + columns_[i].name + "' holds another kind of value", source_, "");
  }
  throw_input("there is no column '" + std::string(name) + "'", source_,
              "the nearest is '" + nearest(name, names) + "'");
}

std::vector<double> Table::numbers(std::string_view name) const {
  const std::size_t column = index(name, Column::Kind::number);
  std::vector<double> values;
  values.reserve(rows_.size());
  for (const auto& row : rows_) values.push_back(std::get<double>(row[column]));
  return values;
}

std::vector<std::optional<double>> Table::optional_numbers(std::string_view name) const {
  const std::size_t column = index(name, Column::Kind::optional_number);
  std::vector<std::optional<double>> values;
  values.reserve(rows_.size());
  for (const auto& row : rows_) {
    const double* value = std::get_if<double>(&row[column]);
    values.push_back(value != nullptr ? std::optional<double>(*value) : std::nullopt);
  }
  return values;
}

std::vector<std::string> Table::texts(std::string_view name) const {
  const std::size_t column = index(name, Column::Kind::text);
  std::vector<std::string> values;
  values.reserve(rows_.size());
  for (const auto& row : rows_) values.push_back(std::get<std::string>(row[column]));
  return values;
}

}  // namespace headroom::app
