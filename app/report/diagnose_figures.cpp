#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/csv.hpp"
#include "app/diagnose/rules.hpp"
#include "app/figures/common.hpp"
#include "app/plot/column.hpp"
#include "app/plot/heat_map.hpp"
#include "app/plot/legend.hpp"
#include "app/report/head_grid.hpp"
#include "app/report/normalizer_tables.hpp"
#include "app/report/run_context.hpp"
#include "app/report/static_figures.hpp"

namespace headroom::app {
namespace {

namespace palette = plot::palette;
using plot::kAxisSize;
using plot::kMargin;
using plot::kTickSize;
using plot::Text;

constexpr double kLeft = kMargin + 24;
constexpr double kTallest = 20;  // of a head
constexpr double kGap = 2;       // between heads

// Of the rules in the order of rule_names; each has its corner of a head.
constexpr std::array<plot::Colour, rule_names.size()> kColours = {palette::blue, palette::vermilion, palette::green,
                                                                  palette::purple};

bool says(const std::string& fired, std::string_view rule) {
  const std::string list = "+" + fired + "+";
  return list.find("+" + std::string(rule) + "+") != std::string::npos;
}

void square(plot::Drawing& drawing, const plot::Rect& r, plot::Fill fill) {
  drawing.shapes.emplace_back(
      plot::Path{{{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}}, true, std::nullopt, fill});
}

plot::Legend legend_of(const std::vector<std::string>& fired) {
  plot::Legend legend(1);
  for (std::size_t rule = 0; rule < rule_names.size(); ++rule) {
    const auto count = std::count_if(fired.begin(), fired.end(),
                                     [&](const std::string& list) { return says(list, rule_names[rule]); });
    plot::Key key;
    key.label = std::string(rule_names[rule]) + " (" + std::to_string(count) + ")";
    key.area = plot::Fill{kColours[rule], 1};
    legend.front().push_back(std::move(key));
  }
  return legend;
}

// Layer by head, a head in four corners: each in colour where its rule fired.
plot::Drawing rules_map(const Table& heads, const std::string& origin) {
  const std::vector<double> layer = heads.numbers("layer");
  const std::vector<double> head = heads.numbers("head");
  const std::vector<std::string> fired = heads.texts("fired");
  const std::vector<double> layers = figures::distinct(layer);
  const std::vector<double> columns = figures::distinct(head);
  plot::Drawing drawing;
  drawing.title = "Which rule fired, head by head";
  drawing.description = origin + ": a head's corner is in colour where the rule fired; in brackets, for how many heads";
  drawing.width = plot::kColumnWidth;
  double y = draw_heading(drawing) + 4;
  y = plot::draw_legend(drawing.shapes, legend_of(fired), kMargin, plot::kColumnWidth - kMargin, y) + 5;

  const double width =
      (plot::kColumnWidth - kLeft - kMargin) / static_cast<double>(std::max<std::size_t>(1, columns.size()));
  const double height = std::min(width, kTallest);
  const auto index = [](const std::vector<double>& values, double value) {
    return static_cast<double>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
  };
  for (std::size_t i = 0; i < fired.size(); ++i) {
    const plot::Rect cell{kLeft + index(columns, head[i]) * width, y + index(layers, layer[i]) * height, width - kGap,
                          height - kGap};
    square(drawing, cell, {palette::grid, 1});
    for (std::size_t rule = 0; rule < rule_names.size(); ++rule) {
      if (!says(fired[i], rule_names[rule])) continue;
      const double x = cell.x + (rule % 2 == 0 ? 0 : cell.width / 2);
      const double top = cell.y + (rule < 2 ? 0 : cell.height / 2);
      square(drawing, {x, top, cell.width / 2, cell.height / 2}, {kColours[rule], 1});
    }
  }
  const double bottom = y + static_cast<double>(layers.size()) * height;
  const auto every = [](double step, double needed) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(needed / step) + 1);
  };
  for (std::size_t c = 0; c < columns.size(); c += every(width, 12)) {
    drawing.shapes.emplace_back(Text{{kLeft + (static_cast<double>(c) + 0.5) * width, bottom + kTickSize + 2},
                                     number_text(columns[c]),
                                     kTickSize,
                                     Text::Anchor::middle});
  }
  for (std::size_t r = 0; r < layers.size(); r += every(height, kTickSize)) {
    drawing.shapes.emplace_back(Text{{kLeft - 3, y + (static_cast<double>(r) + 0.5) * height + kTickSize / 3},
                                     number_text(layers[r]),
                                     kTickSize,
                                     Text::Anchor::end});
  }
  const double below = bottom + kTickSize + 4 + kAxisSize;
  drawing.shapes.emplace_back(
      Text{{(kLeft + plot::kColumnWidth - kMargin) / 2, below}, "head", kAxisSize, Text::Anchor::middle});
  Text side{{kMargin + kAxisSize, (y + bottom) / 2}, "layer", kAxisSize, Text::Anchor::middle};
  side.upwards = true;
  drawing.shapes.emplace_back(side);
  drawing.height = below + kMargin;
  return drawing;
}

}  // namespace

std::vector<StaticFigure> diagnose_figures(ResultFolder& folder) {
  const auto heads = diagnosed_heads(folder);
  if (!heads) return {};
  const std::string origin = figures::origin(run_context(folder.run()));
  const auto map_of = [&](const char* column, const std::string& title, const std::string& what) {
    plot::HeatMap map = head_grid(*heads, column, [](std::size_t) { return true; });
    map.title = title;
    map.subtitle = origin + ": " + what;
    return plot::draw(map);
  };
  return {{"rules", rules_map(*heads, origin)},
          {"active-set", map_of("active_share", "Active set over context, head by head",
                                "share of the tokens that hold most of the weight")},
          {"separable", map_of("separable", "Distinguishable share, head by head", "N_s/N of the selected tokens")},
          {"entropy-slope", map_of("entropy_slope", "Rise of the entropy, head by head", "per unit of log L")},
          {"effective-temperature",
           map_of("effective_temperature", "Effective temperature, head by head", "how sharp the weights are")}};
}

}  // namespace headroom::app
