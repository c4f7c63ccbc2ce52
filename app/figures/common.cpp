#include "app/figures/common.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace headroom::app::figures {
namespace {

constexpr double kNameWidth = 80;
constexpr double kNameSize = 6.6;

}  // namespace

std::string origin(const FigureContext& context) {
  const auto shortened = [](const std::string& name) { return plot::elide(name, kNameSize, kNameWidth); };
  return shortened(context.model) + " on " + shortened(context.text);
}

std::string heads(const FigureContext& context) {
  return context.heads > 0 ? std::to_string(context.heads) + " heads" : "all heads";
}

std::vector<double> distinct(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<plot::Point> points(const std::vector<double>& x, const std::vector<double>& y) {
  assert(x.size() == y.size());
  std::vector<plot::Point> result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back({x[i], y[i]});
  return result;
}

plot::Line line(std::vector<plot::Point> points, const Look& look) {
  plot::Line result;
  result.points = std::move(points);
  result.stroke = look.stroke;
  result.marker = look.marker;
  result.marker_colour = look.stroke.colour;
  return result;
}

plot::Key key(plot::RichText label, const Look& look) {
  plot::Key result;
  result.label = std::move(label);
  result.line = look.stroke;
  result.marker = look.marker;
  return result;
}

void append_intervals(std::vector<Column>& columns, const std::vector<std::string>& measures) {
  for (const std::string& measure : measures) {
    columns.push_back({measure + "_ci_low"});
    columns.push_back({measure + "_ci_high"});
  }
}

void add_bars(plot::Chart& chart, const Table& table, const std::vector<double>& x, const std::string& measure,
              const Look& look, const std::function<bool(std::size_t row)>& chosen) {
  if (!table.has(measure + "_ci_low")) return;
  const std::vector<double> low = table.numbers(measure + "_ci_low");
  const std::vector<double> high = table.numbers(measure + "_ci_high");
  plot::ErrorBars bars;
  bars.colour = look.stroke.colour;
  for (std::size_t row = 0; row < x.size(); ++row) {
    if (!chosen || chosen(row)) bars.bars.push_back({x[row], low[row], high[row]});
  }
  chart.layers.emplace_back(std::move(bars));
}

std::string over_windows(const FigureContext& context, const std::string& what) {
  return context.windows < 2 ? "" : "; " + what + " over " + std::to_string(context.windows) + " windows";
}

}  // namespace headroom::app::figures
