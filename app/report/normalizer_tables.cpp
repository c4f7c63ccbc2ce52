#include "app/report/normalizer_tables.hpp"

#include <algorithm>
#include <string_view>

#include "app/normalizer_choice.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

constexpr std::string_view text_columns[] = {"normalizer", "group", "fired", "note"};

Column::Kind kind_of(std::string_view name) {
  const bool text = std::find(std::begin(text_columns), std::end(text_columns), name) != std::end(text_columns);
  return text ? Column::Kind::text : Column::Kind::optional_number;
}

std::vector<std::string> frontier_columns() { return {"normalizer", "length", "weight", "margin", "jacobian_norm"}; }

}  // namespace

std::optional<Table> normalizer_table(ResultFolder& folder, const std::string& file,
                                      const std::vector<std::string>& axes, const std::vector<std::string>& needed) {
  const auto kind = [&](std::string_view name) {
    const bool axis = std::find(axes.begin(), axes.end(), name) != axes.end();
    return axis ? Column::Kind::number : kind_of(name);
  };
  return folder.table(file, kind, needed);
}

std::optional<Table> compared_heads(ResultFolder& folder) {
  return normalizer_table(folder, "heads.csv", {"length", "top", "head", "layer"},
                          {"layer", "head", "normalizer", "length", "top"});
}

std::optional<Table> compared_normalizers(ResultFolder& folder) {
  return normalizer_table(folder, "normalizers.csv", {"length", "top"}, {"normalizer", "length", "top"});
}

std::optional<Table> diagnosed_heads(ResultFolder& folder) {
  return normalizer_table(
      folder, "heads.csv", {"head", "layer"},
      {"layer", "head", "active_share", "separable", "entropy_slope", "effective_temperature", "group", "fired"});
}

std::optional<Table> frontier_points(ResultFolder& folder) {
  return normalizer_table(folder, "frontier.csv", {"length", "weight"}, frontier_columns());
}

std::optional<Table> frontier_curves(ResultFolder& folder) {
  return normalizer_table(folder, "curves.csv", {"length", "weight", "margin", "jacobian_norm"}, frontier_columns());
}

std::vector<std::string> known_normalizers(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    try {
      (void)normalizer_specs({&name, 1});
      known.push_back(name);
    } catch (const Error&) {
      continue;  // what a later program wrote still has its numbers
    }
  }
  return known;
}

std::optional<FrontierGrid> frontier_beside(const Table& normalizers) {
  const std::vector<double> lengths = normalizers.numbers("length");
  if (lengths.empty()) return std::nullopt;
  const double longest = *std::max_element(lengths.begin(), lengths.end());
  FrontierGrid grid{known_normalizers(normalizers.texts("normalizer")), {}, {0.5, 0.9, 0.99}, 1};
  if (grid.normalizers.empty() || !(longest >= 2)) return std::nullopt;
  grid.lengths = {static_cast<std::size_t>(longest)};
  return grid;
}

}  // namespace headroom::app
