#include "app/frontier/figures.hpp"

#include <algorithm>
#include <cmath>

#include "app/csv.hpp"
#include "app/figures/series.hpp"
#include "app/normalizer_choice.hpp"

namespace headroom::app {
namespace {

using plot::RichText;
using plot::variable;

// What lies further out than this times softmax's largest margin would squeeze everything else.
constexpr double kWidest = 1.6;
constexpr double kLowestNorm = 1e-3;
constexpr double kHighestNorm = 10;

struct Rows {
  explicit Rows(const Table& table)
      : normalizer(table.texts("normalizer")), length(table.numbers("length")), weight(table.numbers("weight")) {}
  std::vector<std::string> normalizer;
  std::vector<double> length;
  std::vector<double> weight;
};

double middle_weight(const FrontierGrid& grid) { return grid.weights[grid.weights.size() / 2]; }

plot::Chart chart_of(const FrontierGrid& grid) {
  plot::Chart chart;
  chart.legend.resize(1);
  for (std::size_t i = 0; i < grid.normalizers.size(); ++i) {
    figures::Look look = figures::series_look(i);
    look.marker = plot::Marker::none;
    chart.legend.front().push_back(figures::key(short_spec(grid.normalizers[i]), look));
  }
  return chart;
}

std::string temperature_text(const FrontierGrid& grid) { return "T = " + number_text(grid.temperature); }

std::string weights_text(const FrontierGrid& grid) {
  std::string text;
  for (const double weight : grid.weights) text += (text.empty() ? "" : ", ") + number_text(weight);
  return text;
}

}  // namespace

plot::Drawing frontier_figure(const Table& table, const Table& curves, const FrontierGrid& grid) {
  plot::Chart chart = chart_of(grid);
  const auto length = static_cast<double>(grid.lengths.back());
  chart.title = "What selectivity costs in sensitivity";
  chart.subtitle = "one token ahead of " + number_text(length - 1) + " equal ones, " + temperature_text(grid) +
                   "; along each line its weight grows, markers at p = " + weights_text(grid);
  chart.x.label = RichText("margin ") + variable("\xCE\x94") + " (logits)";
  chart.y.label = RichText("Jacobian norm \xE2\x80\x96") + variable("J") + "\xE2\x80\x96" + plot::subscript("2");
  chart.y.kind = plot::Scale::Kind::logarithmic;
  chart.y.low = kLowestNorm / grid.temperature;
  chart.y.high = kHighestNorm / grid.temperature;
  chart.x.low = 0;
  chart.x.high = kWidest * grid.temperature * std::log(length * 1e2);

  const Rows rows(curves);
  const std::vector<double> margin = curves.numbers("margin");
  const std::vector<double> norm = curves.numbers("jacobian_norm");
  const Rows asked(table);
  const auto asked_margin = table.optional_numbers("margin");
  const auto asked_norm = table.optional_numbers("jacobian_norm");
  const double middle = middle_weight(grid);
  // The first named on top: several can coincide with softmax.
  for (std::size_t i = grid.normalizers.size(); i-- > 0;) {
    const figures::Look look = figures::series_look(i);
    std::vector<plot::Point> curve;
    for (std::size_t row = 0; row < margin.size(); ++row) {
      // The curve over lengths crosses this one at the middle weight.
      const bool here = rows.normalizer[row] == grid.normalizers[i] && rows.length[row] == length;
      if (here && rows.weight[row] != middle && margin[row] > 0) curve.push_back({margin[row], norm[row]});
    }
    plot::Line line = figures::line(std::move(curve), look);
    line.marker = plot::Marker::none;
    chart.layers.emplace_back(std::move(line));
    std::vector<plot::Point> marks;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const bool here = asked.normalizer[row] == grid.normalizers[i] && asked.length[row] == length;
      if (here && asked_margin[row] && asked_norm[row]) marks.push_back({*asked_margin[row], *asked_norm[row]});
    }
    plot::Line points = figures::line(std::move(marks), look);
    points.stroke.reset();
    chart.layers.emplace_back(std::move(points));
  }
  chart.caption =
      "Low and to the left is better: a small margin is enough, and the weights move little when the logits "
      "do.";
  return plot::draw(chart);
}

plot::Drawing margin_figure(const Table& curves, const FrontierGrid& grid) {
  plot::Chart chart = chart_of(grid);
  const double middle = middle_weight(grid);
  chart.title = "The margin a longer context asks for";
  chart.subtitle =
      "logits that one token must be ahead of n\xE2\x88\x92"
      "1 equal ones to have weight " +
      number_text(middle) + ", " + temperature_text(grid);
  chart.x.kind = plot::Scale::Kind::logarithmic;
  chart.x.label = RichText("context length ") + variable("n");
  chart.y.label = RichText("margin ") + variable("\xCE\x94") + " (logits)";
  chart.y.low = 0;
  const Rows rows(curves);
  const std::vector<double> margin = curves.numbers("margin");
  for (std::size_t i = grid.normalizers.size(); i-- > 0;) {
    std::vector<plot::Point> curve;
    for (std::size_t row = 0; row < margin.size(); ++row) {
      const bool power_of_two = std::exp2(std::round(std::log2(rows.length[row]))) == rows.length[row];
      if (rows.normalizer[row] == grid.normalizers[i] && rows.weight[row] == middle && power_of_two) {
        curve.push_back({rows.length[row], margin[row]});
      }
    }
    plot::Line line = figures::line(std::move(curve), figures::series_look(i));
    line.marker = plot::Marker::none;
    chart.layers.emplace_back(std::move(line));
  }
  chart.y.high =
      1.3 * grid.temperature * std::log(std::exp2(20) * std::max(1.0, middle / (1 - std::min(middle, 0.999))));
  chart.caption = "Flat: the same margin serves any context. Falling: a longer context asks for less.";
  return plot::draw(chart);
}

}  // namespace headroom::app
