#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>

#include "app/csv.hpp"
#include "app/figures/common.hpp"
#include "app/plot/heat_map.hpp"
#include "app/report/reproduce_tables.hpp"
#include "app/report/static_figures.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

std::string file_of(const Json& entry) { return entry.is_object() ? entry.value("file", "") : ""; }

std::size_t count_of(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_number_unsigned()) return 0;
  return object[key].get<std::size_t>();
}

// What run.json says of the figures' origin; without it they say less.
FigureContext context_of(const Json& run) {
  FigureContext context;
  if (!run.is_object()) return context;
  const Json model = run.value("model", Json::object());
  const fs::path onnx = file_of(model);
  context.model = (onnx.extension() == ".onnx" ? onnx.parent_path() : onnx).filename().string();
  const Json texts = run.value("texts", Json::array());
  context.text = texts.size() > 1
                     ? std::to_string(texts.size()) + " texts"
                     : fs::path(file_of(texts.empty() ? run.value("text", Json()) : texts[0])).stem().string();
  context.length = count_of(run, "length");
  context.heads = count_of(model, "heads");
  context.windows = std::max<std::size_t>(1, count_of(run.value("windows", Json()), "done"));
  const Json tried = run.value("critical_tops", Json::object());
  for (const auto& [length, top] : tried.items()) {
    const std::optional<double> number = parse_number(length);
    if (number && top.is_number_unsigned())
      context.largest_top[static_cast<std::size_t>(*number)] = top.get<std::size_t>();
  }
  return context;
}

constexpr double kMapTop = 16;  // where the paper sees N_s/N settle

// N_s/N of every head at the longest context.
plot::Drawing head_map(const Table& heads, const FigureContext& context) {
  const std::vector<double> layer = heads.numbers("layer");
  const std::vector<double> head = heads.numbers("head");
  const std::vector<double> length = heads.numbers("length");
  const std::vector<double> top = heads.numbers("top");
  const std::vector<double> separable = heads.numbers("separable");
  const std::vector<double> layers = figures::distinct(layer);
  const std::vector<double> numbers = figures::distinct(head);
  const std::vector<double> lengths = figures::distinct(length);
  const double longest = lengths.empty() ? 0 : lengths.back();
  const std::vector<double> tops = figures::distinct(top);
  const bool settled = std::find(tops.begin(), tops.end(), kMapTop) != tops.end();
  const double chosen = settled || tops.empty() ? kMapTop : tops.back();

  plot::HeatMap map;
  map.title = "Distinguishable share, head by head";
  map.subtitle = figures::origin(context) + ", L = " + number_text(longest) + ", N = " + number_text(chosen) +
                 ": mean over queries";
  map.x_label = "head";
  map.y_label = "layer";
  for (const double one : numbers) map.x.push_back(number_text(one));
  for (const double one : layers) map.y.push_back(number_text(one));
  map.values.assign(layers.size(), std::vector<double>(numbers.size(), std::nan("")));
  for (std::size_t i = 0; i < layer.size(); ++i) {
    if (length[i] != longest || top[i] != chosen) continue;
    const auto row = std::lower_bound(layers.begin(), layers.end(), layer[i]) - layers.begin();
    const auto column = std::lower_bound(numbers.begin(), numbers.end(), head[i]) - numbers.begin();
    map.values[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = separable[i];
  }
  return plot::draw(map);
}

}  // namespace

std::vector<StaticFigure> reproduce_figures(ResultFolder& folder) {
  const FigureContext context = context_of(folder.run());
  std::vector<StaticFigure> figures;
  for (const FigureFile& figure : figure_files) {
    if (const auto table = figure_table(folder, figure)) figures.push_back({figure.name, figure.draw(*table, context)});
  }
  if (const auto heads = heads_of(folder)) figures.push_back({"heads", head_map(*heads, context)});
  return figures;
}

}  // namespace headroom::app
