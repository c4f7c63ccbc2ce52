#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/csv.hpp"
#include "app/figures/common.hpp"
#include "app/figures/series.hpp"
#include "app/frontier/figures.hpp"
#include "app/report/normalizer_tables.hpp"
#include "app/report/run_context.hpp"
#include "app/report/short_names.hpp"
#include "app/report/static_figures.hpp"

namespace headroom::app {
namespace {

// What a column of normalizers.csv says, for its axis.
plot::RichText label_of(const std::string& column) {
  using plot::RichText;
  using plot::variable;
  static const std::map<std::string, RichText> labels = {
      {"critical_top", RichText("critical ") + variable("N") + " against " + variable("E") + plot::subscript("1")},
      {"critical_top_expected",
       RichText("critical ") + variable("N") + " against " + variable("E") + plot::subscript("0")},
      {"temperature", RichText("fitted temperature ") + variable("T")},
      {"distance", RichText("distance ") + variable("D")},
      {"expected_full", RichText("expected distance ") + variable("E") + plot::subscript("1")},
      {"expected", RichText("expected distance ") + variable("E") + plot::subscript("0")},
      {"separable", RichText("separable share ") + variable("N") + plot::subscript("s") + "/" + variable("N")},
      {"mass", "selected weight"},
      {"entropy", "entropy of the weights (nats)"},
      {"max_weight", "largest weight"},
      {"zeros", "share of weights that are 0"},
      {"jacobian_mean", RichText("mean of \xE2\x80\x96") + variable("J") + "\xE2\x80\x96" + plot::subscript("2")},
      {"jacobian_worst", RichText("largest \xE2\x80\x96") + variable("J") + "\xE2\x80\x96" + plot::subscript("2")},
      {"output_change", "change of the output, relative"}};
  const auto found = labels.find(column);
  return found != labels.end() ? found->second : RichText(column);
}

struct Rows {
  std::vector<std::string> normalizer;
  std::vector<double> length;
  std::vector<double> top;
};

// Whether a quantity has different values at the N of one normalizer and length.
bool depends_on_top(const Rows& rows, const std::vector<std::optional<double>>& value) {
  std::map<std::pair<std::string, double>, std::optional<double>> first;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto [found, fresh] = first.try_emplace({rows.normalizer[i], rows.length[i]}, value[i]);
    if (!fresh && found->second != value[i]) return true;
  }
  return false;
}

// A line per normalizer over N at the longest context, or over the context where N makes no difference.
plot::Drawing draw_normalizers(const Rows& rows, const std::vector<std::optional<double>>& value,
                               const std::string& column, const std::string& origin) {
  const bool over_top = depends_on_top(rows, value);
  const std::vector<double>& x = over_top ? rows.top : rows.length;
  const double longest = *std::max_element(rows.length.begin(), rows.length.end());
  const double least = *std::min_element(rows.top.begin(), rows.top.end());
  std::vector<std::string> names;
  for (const std::string& name : rows.normalizer) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  plot::Chart chart;
  chart.title = label_of(column).plain() + " of every normalizer";
  chart.title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(chart.title[0])));
  chart.subtitle = origin + ": mean over heads" + (over_top ? ", L = " + number_text(longest) : "");
  chart.x.label = over_top ? plot::RichText("selected tokens ") + plot::variable("N")
                           : plot::RichText("context length ") + plot::variable("L");
  chart.x.kind = plot::Scale::Kind::logarithmic;
  chart.x.labelled = figures::distinct(x);
  chart.y.label = label_of(column);
  chart.legend.resize(1);
  // The first named on top: several can coincide with softmax.
  for (std::size_t line = names.size(); line-- > 0;) {
    std::vector<plot::Point> points;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const bool shown = over_top ? rows.length[i] == longest : rows.top[i] == least;
      if (rows.normalizer[i] == names[line] && shown && value[i]) points.push_back({x[i], *value[i]});
    }
    std::sort(points.begin(), points.end(), [](plot::Point a, plot::Point b) { return a.x < b.x; });
    chart.layers.emplace_back(figures::line(std::move(points), figures::series_look(line)));
  }
  for (std::size_t line = 0; line < names.size(); ++line) {
    chart.legend.front().push_back(figures::key(short_name(names[line]), figures::series_look(line)));
  }
  return plot::draw(chart);
}

}  // namespace

std::vector<StaticFigure> compare_figures(ResultFolder& folder) {
  const auto table = compared_normalizers(folder);
  if (!table || table->rows() == 0) return {};
  const Rows rows{table->texts("normalizer"), table->numbers("length"), table->numbers("top")};
  const std::string origin = figures::origin(run_context(folder.run()));
  std::vector<StaticFigure> figures;
  for (const Column& column : table->columns()) {
    const bool measured = column.kind == Column::Kind::optional_number && !column.name.ends_with("_sd");
    if (!measured) continue;
    const auto value = table->optional_numbers(column.name);
    if (std::none_of(value.begin(), value.end(), [](const auto& one) { return one && std::isfinite(*one); })) continue;
    figures.push_back({column.name, draw_normalizers(rows, value, column.name, origin)});
  }
  if (const auto grid = frontier_beside(*table)) {
    const Table curves = frontier_curves(*grid);
    figures.push_back({"frontier", frontier_figure(frontier_table(*grid), curves, *grid)});
    figures.push_back({"margin", margin_figure(curves, *grid)});
  }
  return figures;
}

}  // namespace headroom::app
