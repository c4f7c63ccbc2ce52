#include "app/report/table_json.hpp"

#include <map>
#include <string>
#include <utility>

namespace headroom::app {
namespace {

Json numbers_json(const Table& table, std::size_t column) {
  Json values = Json::array();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double* number = std::get_if<double>(&table.cell(row, column));
    values.push_back(number != nullptr ? json_number(*number) : Json());
  }
  return values;
}

Json texts_json(const Table& table, std::size_t column) {
  Json texts = Json::array();
  Json at = Json::array();
  std::map<std::string, std::size_t> place;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto& text = std::get<std::string>(table.cell(row, column));
    const auto [found, fresh] = place.try_emplace(text, place.size());
    if (fresh) texts.push_back(text);
    at.push_back(found->second);
  }
  return {{"texts", std::move(texts)}, {"at", std::move(at)}};
}

}  // namespace

Json table_json(const Table& table) {
  Json columns = Json::array();
  Json data = Json::array();
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    columns.push_back(table.columns()[c].name);
    data.push_back(table.columns()[c].kind == Column::Kind::text ? texts_json(table, c) : numbers_json(table, c));
  }
  return {{"columns", std::move(columns)}, {"rows", table.rows()}, {"data", std::move(data)}};
}

}  // namespace headroom::app
