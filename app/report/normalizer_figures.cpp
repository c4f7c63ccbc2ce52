#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/csv.hpp"
#include "app/figures/common.hpp"
#include "app/frontier/figures.hpp"
#include "app/plot/heat_map.hpp"
#include "app/report/head_grid.hpp"
#include "app/report/normalizer_tables.hpp"
#include "app/report/run_context.hpp"
#include "app/report/static_figures.hpp"

namespace headroom::app {
namespace {

template <class T>
std::vector<T> list_in(const Json& run, const char* key) {
  if (!run.is_object() || !run.contains(key)) return {};
  try {
    return run[key].get<std::vector<T>>();
  } catch (const Json::exception&) {
    return {};
  }
}

// The mean over heads of N_s/N at the longest context, normalizer by N.
plot::HeatMap compared_shares(const Table& heads) {
  const std::vector<std::string> normalizer = heads.texts("normalizer");
  const std::vector<double> length = heads.numbers("length");
  const std::vector<double> top = heads.numbers("top");
  const std::vector<std::optional<double>> share = heads.optional_numbers("separable");
  const std::vector<double> lengths = figures::distinct(length);
  const std::vector<double> tops = figures::distinct(top);
  plot::HeatMap map;
  for (const double n : tops) map.x.push_back(number_text(n));
  for (const std::string& name : normalizer) {
    if (std::find(map.y.begin(), map.y.end(), name) == map.y.end()) map.y.push_back(name);
  }
  map.values.assign(map.y.size(), std::vector<double>(tops.size(), 0));
  std::vector<std::vector<double>> counts = map.values;
  for (std::size_t i = 0; i < share.size(); ++i) {
    if (length[i] != lengths.back() || !share[i] || !std::isfinite(*share[i])) continue;
    const auto row = std::find(map.y.begin(), map.y.end(), normalizer[i]) - map.y.begin();
    const auto column = std::lower_bound(tops.begin(), tops.end(), top[i]) - tops.begin();
    map.values[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] += *share[i];
    counts[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] += 1;
  }
  for (std::size_t r = 0; r < map.values.size(); ++r) {
    for (std::size_t c = 0; c < tops.size(); ++c) map.values[r][c] /= counts[r][c];
  }
  return map;
}

}  // namespace

std::vector<StaticFigure> compare_figures(ResultFolder& folder) {
  const auto heads = compared_heads(folder);
  if (!heads || !heads->has("separable") || heads->rows() == 0) return {};
  plot::HeatMap map = compared_shares(*heads);
  map.title = "Distinguishable share under every normalizer";
  map.subtitle = figures::origin(run_context(folder.run())) + ": mean over heads at the longest context";
  map.x_label = plot::RichText("selected tokens ") + plot::variable("N");
  return {{"separable", plot::draw(map)}};
}

std::vector<StaticFigure> diagnose_figures(ResultFolder& folder) {
  const auto heads = diagnosed_heads(folder);
  if (!heads) return {};
  plot::HeatMap map = head_grid(*heads, "active_share", [](std::size_t) { return true; });
  map.title = "Active set over context, head by head";
  map.subtitle = figures::origin(run_context(folder.run())) + ": share of the tokens that hold most of the weight";
  return {{"active-set", plot::draw(map)}};
}

std::vector<StaticFigure> frontier_figures(ResultFolder& folder) {
  const auto points = frontier_points(folder);
  const auto curves = frontier_curves(folder);
  const FrontierGrid grid{list_in<std::string>(folder.run(), "normalizers"),
                          list_in<std::size_t>(folder.run(), "lengths"), list_in<double>(folder.run(), "weights"),
                          folder.run().is_object() ? folder.run().value("temperature", 1.0) : 1.0};
  if (!points || !curves || grid.normalizers.empty() || grid.lengths.empty() || grid.weights.empty()) return {};
  return {{"frontier", frontier_figure(*points, *curves, grid)}, {"margin", margin_figure(*curves, grid)}};
}

}  // namespace headroom::app
