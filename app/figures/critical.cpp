#include <cmath>
#include <optional>
#include <string>

#include "app/figures/common.hpp"

namespace headroom::app {
namespace {

using figures::Look;
using plot::Dash;
using plot::Marker;
using plot::RichText;
using plot::variable;
namespace palette = plot::palette;

constexpr double kPaperShare = 0.06;  // Section 3.1 of the paper: critical N of about 0.06·L
constexpr Look kFull{{palette::vermilion, 1.3}, Marker::square};
constexpr Look kExpected{{palette::green, 1.3}, Marker::diamond};
constexpr plot::Stroke kPaperLine{palette::ink, 0.9, Dash::dashed};

double none_up_to(double length, const FigureContext& context) {
  for (const auto& [tried_at, largest] : context.largest_top) {
    if (static_cast<double>(tried_at) == length) return static_cast<double>(largest);
  }
  return length - 1;
}

/// From the smallest to the largest critical N of single windows, where a table has them.
void add_range(plot::Chart& chart, const Table& table, const std::vector<std::string>& kind,
               const std::vector<double>& length, const std::string& against, const Look& look) {
  if (!table.has("critical_top_smallest")) return;
  const std::vector<std::optional<double>> smallest = table.optional_numbers("critical_top_smallest");
  const std::vector<std::optional<double>> largest = table.optional_numbers("critical_top_largest");
  plot::ErrorBars bars;
  bars.colour = look.stroke.colour;
  for (std::size_t i = 0; i < length.size(); ++i) {
    if (kind[i] == against && smallest[i] && largest[i]) bars.bars.push_back({length[i], *smallest[i], *largest[i]});
  }
  chart.layers.emplace_back(std::move(bars));
}

/// The lengths with a critical N as a line, those without as open markers; returns whether there are any of these.
bool add_series(plot::Chart& chart, const Table& table, const FigureContext& context, const std::string& against,
                const Look& look) {
  const std::vector<double> length = table.numbers("length");
  const std::vector<std::string> kind = table.texts("against");
  const std::vector<std::optional<double>> top = table.optional_numbers("critical_top");
  plot::Line found = figures::line({}, look);
  plot::Line none;
  none.marker = Marker::triangle;
  none.marker_colour = look.stroke.colour;
  none.open = true;
  for (std::size_t i = 0; i < length.size(); ++i) {
    if (kind[i] != against) continue;
    // NaN interrupts the line where there is no critical N.
    found.points.push_back({length[i], top[i].value_or(std::nan(""))});
    if (!top[i]) none.points.push_back({length[i], none_up_to(length[i], context)});
  }
  add_range(chart, table, kind, length, against, look);
  chart.layers.emplace_back(found);
  const bool any = !none.points.empty();
  if (any) chart.layers.emplace_back(none);
  return any;
}

}  // namespace

std::vector<Column> figure2c_columns(WindowCount windows) {
  std::vector<Column> columns = {{"length"},
                                 {"against", Column::Kind::text},
                                 {"critical_top", Column::Kind::optional_number},
                                 {"ratio", Column::Kind::optional_number},
                                 {"statistic", Column::Kind::optional_number},
                                 {"p_value", Column::Kind::optional_number}};
  if (windows == WindowCount::several) {
    columns.push_back({"critical_top_smallest", Column::Kind::optional_number});
    columns.push_back({"critical_top_largest", Column::Kind::optional_number});
    columns.push_back({"windows_found"});
  }
  return columns;
}

plot::Drawing figure2c(const Table& table, const FigureContext& context) {
  plot::Chart chart;
  chart.title = "Critical number of selected tokens";
  chart.subtitle = figures::origin(context) +
                   "; smallest N at which D and the expectation are not told apart over heads (KS test, level 0.01)" +
                   figures::over_windows(context, "bars: smallest to largest");
  chart.x.kind = chart.y.kind = plot::Scale::Kind::logarithmic;
  chart.x.label = RichText("context length ") + variable("L");
  chart.y.label = RichText("critical ") + variable("N");
  const std::vector<double> lengths = figures::distinct(table.numbers("length"));
  chart.x.labelled = lengths;

  plot::Line paper;
  for (const double length : lengths) paper.points.push_back({length, kPaperShare * length});
  paper.stroke = kPaperLine;
  paper.label = RichText("paper: 0.06 ") + variable("L");
  if (!lengths.empty()) chart.layers.emplace_back(paper);
  const bool full_none = add_series(chart, table, context, "expected_full", kFull);
  const bool expected_none = add_series(chart, table, context, "expected", kExpected);

  const RichText e = RichText("against ") + variable("E");
  chart.legend = {{figures::key(e + plot::subscript("1"), kFull), figures::key(e + plot::subscript("0"), kExpected)}};
  if (full_none || expected_none) {
    plot::Key none;
    none.label = RichText("no critical ") + variable("N") + " up to here";
    none.marker = Marker::triangle;
    none.open = true;
    chart.legend.front().push_back(none);
  }
  return plot::draw(chart);
}

}  // namespace headroom::app
