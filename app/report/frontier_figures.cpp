#include <optional>
#include <string>
#include <vector>

#include "app/frontier/figures.hpp"
#include "app/report/normalizer_tables.hpp"
#include "app/report/static_figures.hpp"

namespace headroom::app {
namespace {

std::optional<double> number_in(const Json& run, const char* key) {
  if (!run.is_object() || !run.contains(key) || !run[key].is_number()) return std::nullopt;
  return run[key].get<double>();
}

template <class T>
std::vector<T> list_in(const Json& run, const char* key) {
  if (!run.is_object() || !run.contains(key)) return {};
  try {
    return run[key].get<std::vector<T>>();
  } catch (const Json::exception&) {
    return {};
  }
}

}  // namespace

std::vector<StaticFigure> frontier_figures(ResultFolder& folder) {
  const auto points = frontier_points(folder);
  const auto curves = frontier_curves(folder);
  const FrontierGrid grid{known_normalizers(list_in<std::string>(folder.run(), "normalizers")),
                          list_in<std::size_t>(folder.run(), "lengths"), list_in<double>(folder.run(), "weights"),
                          number_in(folder.run(), "temperature").value_or(1)};
  if (!points || !curves || grid.normalizers.empty() || grid.lengths.empty() || grid.weights.empty()) return {};
  return {{"frontier", frontier_figure(*points, *curves, grid)}, {"margin", margin_figure(*curves, grid)}};
}

}  // namespace headroom::app
