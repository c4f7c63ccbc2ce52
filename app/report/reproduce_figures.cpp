#include <algorithm>
#include <string>

#include "app/csv.hpp"
#include "app/figures/common.hpp"
#include "app/plot/heat_map.hpp"
#include "app/report/head_grid.hpp"
#include "app/report/reproduce_tables.hpp"
#include "app/report/run_context.hpp"
#include "app/report/static_figures.hpp"

namespace headroom::app {
namespace {

constexpr double kMapTop = 16;  // where the paper sees N_s/N settle

// N_s/N of every head at the longest context.
plot::Drawing head_map(const Table& heads, const FigureContext& context) {
  const std::vector<double> length = heads.numbers("length");
  const std::vector<double> top = heads.numbers("top");
  const std::vector<double> lengths = figures::distinct(length);
  const double longest = lengths.empty() ? 0 : lengths.back();
  const std::vector<double> tops = figures::distinct(top);
  const bool settled = std::find(tops.begin(), tops.end(), kMapTop) != tops.end();
  const double chosen = settled || tops.empty() ? kMapTop : tops.back();
  plot::HeatMap map =
      head_grid(heads, "separable", [&](std::size_t row) { return length[row] == longest && top[row] == chosen; });
  map.title = "Distinguishable share, head by head";
  map.subtitle = figures::origin(context) + ", L = " + number_text(longest) + ", N = " + number_text(chosen) +
                 ": mean over queries";
  return plot::draw(map);
}

}  // namespace

std::vector<StaticFigure> reproduce_figures(ResultFolder& folder) {
  const FigureContext context = run_context(folder.run());
  std::vector<StaticFigure> figures;
  for (const FigureFile& figure : figure_files) {
    if (const auto table = figure_table(folder, figure)) figures.push_back({figure.name, figure.draw(*table, context)});
  }
  if (const auto heads = heads_of(folder)) figures.push_back({"heads", head_map(*heads, context)});
  return figures;
}

}  // namespace headroom::app
