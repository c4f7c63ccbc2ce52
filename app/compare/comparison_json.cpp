#include "app/compare/comparison_json.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace headroom::app {
namespace {

bool counts(const Column& column) {
  return column.name == "length" || column.name == "top" || column.name.starts_with("critical_top");
}

Json json_of(const Column& column, const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    return counts(column) ? Json(static_cast<std::uint64_t>(*number)) : json_number(*number);
  }
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return nullptr;
}

Json rows_json(const Table& table) {
  Json rows = Json::array();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Json object = Json::object();
    for (std::size_t column = 0; column < table.columns().size(); ++column) {
      const Column& of = table.columns()[column];
      object[of.name] = json_of(of, table.cell(row, column));
    }
    rows.push_back(std::move(object));
  }
  return rows;
}

Json fit_json(const HeadComparison& head, const CompareOptions& options) {
  Json fit = {{"layer", head.layer},
              {"head", head.head},
              {"normalizer", options.normalizers[head.normalizer]},
              {"temperature", head.temperature}};
  if (head.effective_scale) fit["effective_scale"] = *head.effective_scale;
  fit["target"] = head.target.value();
  fit["value"] = matched_value(head.at_length.back(), options.match);
  return fit;
}

}  // namespace

Json comparison_json(std::span<const HeadComparison> heads, const Table& normalizers, const CompareOptions& options) {
  Json document = {{"schema", "headroom.comparison/1"},
                   {"match", match_name(options.match)},
                   {"heads", heads.size() / options.normalizers.size()},
                   {"means", rows_json(normalizers)}};
  if (options.match == Match::none) return document;
  Json& fits = document["fits"] = Json::array();
  for (const HeadComparison& head : heads) fits.push_back(fit_json(head, options));
  return document;
}

}  // namespace headroom::app
