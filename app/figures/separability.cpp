#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "app/csv.hpp"
#include "app/figures/common.hpp"

namespace headroom::app {
namespace {

using figures::Look;
using plot::Dash;
using plot::Marker;
using plot::RichText;
using plot::variable;
namespace palette = plot::palette;

// Section 4.2 of the paper: the ratio falls until N is about 16, then settles between these.
constexpr double kPaperFrom = 16;
constexpr double kPaperLow = 0.70;
constexpr double kPaperHigh = 0.85;
constexpr plot::Fill kPaperFill{palette::orange, 0.22};

constexpr const char* kOverHeads = "separable_over_heads";

constexpr Look kMean{{palette::ink, 1.0}, Marker::circle};
constexpr Look kLaw{{palette::vermilion, 1.0}, Marker::diamond};
constexpr Look kUpper{{palette::ink, 0.9, Dash::dashed}};
constexpr Look kLower{{palette::ink, 0.9, Dash::dotted}};

/// The values of the rows at one N, without those that are not defined.
std::vector<double> at_top(const std::vector<double>& top, const std::vector<double>& values, double wanted) {
  std::vector<double> result;
  for (std::size_t i = 0; i < top.size(); ++i) {
    if (top[i] == wanted && !std::isnan(values[i])) result.push_back(values[i]);
  }
  return result;
}

std::vector<plot::Point> means(const Table& table, const std::string& name) {
  const std::vector<double> top = table.numbers("top");
  const std::vector<double> values = table.numbers(name);
  std::vector<plot::Point> result;
  for (const double n : figures::distinct(top)) {
    const std::vector<double> sample = at_top(top, values, n);
    const double sum = std::accumulate(sample.begin(), sample.end(), 0.0);
    result.push_back({n, sum / static_cast<double>(sample.size())});
  }
  return result;
}

/// The axis ends at 0, where a lower bound says nothing any more: the caption says from which N on.
std::string caption(const std::vector<plot::Point>& lower) {
  std::size_t first = lower.size();
  while (first > 0 && lower[first - 1].y < 0) --first;
  const std::string text = "Bounds as Theorem 2 prints them";
  return first < lower.size() ? text + "; the lower one is below 0 from N = " + number_text(lower[first].x) + " on."
                              : text + ".";
}

}  // namespace

std::vector<std::string> figure3_measures() {
  return {"separable", "separable_lower", "separable_upper", "separable_law"};
}

std::vector<Column> figure3_columns(WindowCount windows) {
  std::vector<Column> columns = {{"top"}, {"layer"}, {"head"}};
  for (const std::string& measure : figure3_measures()) columns.push_back({measure});
  if (windows == WindowCount::several) {
    figures::append_intervals(columns, figure3_measures());
    columns.push_back({kOverHeads});
    figures::append_intervals(columns, {kOverHeads});
  }
  return columns;
}

plot::Drawing figure3(const Table& table, const FigureContext& context) {
  const std::vector<double> top = table.numbers("top");
  const std::vector<double> separable = table.numbers("separable");
  const std::vector<double> grid = figures::distinct(top);

  plot::Chart chart;
  chart.title = "Selected tokens that stay distinguishable";
  chart.subtitle = figures::origin(context) + ", L = " + std::to_string(context.length) +
                   "; boxes: " + figures::heads(context) + ", quartiles, whiskers to 1.5 IQR; lines: means over heads" +
                   figures::over_windows(context, "bars: 95 % interval of the mean");
  chart.x.kind = plot::Scale::Kind::logarithmic;
  chart.x.label = RichText("selected tokens ") + variable("N");
  chart.x.labelled = grid;
  chart.y.label = RichText("separable share ") + variable("N") + plot::subscript("s") + "/" + variable("N");
  chart.y.low = 0;
  chart.y.high = 1.03;

  plot::Boxes boxes;
  boxes.colour = palette::blue;
  for (const double n : grid) {
    const std::vector<double> sample = at_top(top, separable, n);
    if (std::none_of(sample.begin(), sample.end(), [](double value) { return std::isfinite(value); })) continue;
    boxes.x.push_back(n);
    boxes.summaries.push_back(plot::summarize(sample));
  }
  if (!grid.empty() && grid.back() >= kPaperFrom) {
    const double half_step = std::sqrt(2.0);
    const std::vector<double> ends = {kPaperFrom / half_step, grid.back() * half_step};
    chart.layers.emplace_back(plot::Band{ends, {kPaperLow, kPaperLow}, {kPaperHigh, kPaperHigh}, kPaperFill});
  }
  chart.layers.emplace_back(boxes);
  chart.layers.emplace_back(figures::line(means(table, "separable_upper"), kUpper));
  const std::vector<plot::Point> lower = means(table, "separable_lower");
  chart.layers.emplace_back(figures::line(lower, kLower));
  chart.layers.emplace_back(figures::line(means(table, "separable_law"), kLaw));

  // The mean over heads moves with the text as a whole, which the boxes of single heads do not show.
  const bool pooled = table.has(kOverHeads);
  if (pooled) {
    // The same in all rows of an N.
    figures::add_bars(chart, table, top, kOverHeads, kMean,
                      [&](std::size_t row) { return row == 0 || top[row] != top[row - 1]; });
    plot::Line mean = figures::line(means(table, kOverHeads), kMean);
    mean.stroke.reset();
    mean.open = true;
    chart.layers.emplace_back(mean);
  }

  plot::Key measured;
  measured.label = "measured";
  measured.line = plot::Stroke{palette::blue, 0.7};
  measured.area = plot::Fill{palette::blue, 0.22};
  plot::Key paper;
  paper.label =
      "paper: 0.70\xE2\x80\x93"
      "0.85";
  paper.area = kPaperFill;
  chart.legend = {{measured, figures::key("resolution law", kLaw), paper},
                  {figures::key("upper bound", kUpper), figures::key("lower bound", kLower)}};
  if (pooled) {
    plot::Key mean = figures::key("mean over heads", kMean);
    mean.line.reset();
    mean.open = true;
    chart.legend.front().insert(chart.legend.front().begin() + 1, mean);
  }
  chart.caption = caption(lower);
  return plot::draw(chart);
}

}  // namespace headroom::app
