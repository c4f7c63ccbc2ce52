#include <array>
#include <cmath>
#include <string>
#include <utility>

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

struct Tone {
  plot::Colour colour;
  Marker marker;
};
constexpr std::array<Tone, 6> kTones = {{{palette::blue, Marker::circle},
                                         {palette::vermilion, Marker::square},
                                         {palette::green, Marker::triangle},
                                         {palette::purple, Marker::diamond},
                                         {palette::orange, Marker::circle},
                                         {palette::sky, Marker::square}}};
constexpr plot::Stroke kPrinted{palette::ink, 0.9, Dash::solid};

/// 10⁻³ for powers of ten, else the number.
RichText size_label(double epsilon) {
  const double exponent = std::round(std::log10(epsilon));
  if (!(epsilon > 0) || std::abs(epsilon / std::pow(10.0, exponent) - 1) > 1e-9) return number_text(epsilon);
  if (exponent == 0 || exponent == 1) return number_text(epsilon);
  const std::string digits = number_text(std::abs(exponent));
  return RichText("10") + plot::superscript(exponent < 0 ? "\xE2\x88\x92" + digits : digits);
}

/// One quantity over T at one ε.
std::vector<plot::Point> curve(const Table& table, const std::string& name, double epsilon) {
  const std::vector<double> temperature = table.numbers("temperature");
  const std::vector<double> size = table.numbers("epsilon");
  const std::vector<double> value = table.numbers(name);
  std::vector<plot::Point> result;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (size[i] == epsilon) result.push_back({temperature[i], value[i]});
  }
  return result;
}

/// The interval of g over T at one ε, where the table has it.
void add_interval(plot::Chart& chart, const Table& table, double epsilon, plot::Colour colour) {
  if (!table.has("g_ci_low")) return;
  plot::Band band{{}, {}, {}, plot::Fill{colour, 0.16}};
  for (const plot::Point p : curve(table, "g_ci_low", epsilon)) {
    band.x.push_back(p.x);
    band.low.push_back(p.y);
  }
  for (const plot::Point p : curve(table, "g_ci_high", epsilon)) band.high.push_back(p.y);
  chart.layers.emplace_back(std::move(band));
}

}  // namespace

std::vector<std::string> figure4_measures() { return {"g", "g_worst", "jacobian_norm"}; }

std::vector<Column> figure4_columns(WindowCount windows) {
  std::vector<Column> columns = {{"temperature"}, {"epsilon"},      {"g"}, {"g_worst"}, {"bound_printed"},
                                 {"bound_sharp"}, {"jacobian_norm"}};
  if (windows == WindowCount::several) figures::append_intervals(columns, figure4_measures());
  return columns;
}

plot::Drawing figure4(const Table& table, const FigureContext& context) {
  plot::Chart chart;
  chart.title = "Sensitivity of the weights to the logits";
  chart.subtitle = figures::origin(context) + ", L = " + std::to_string(context.length) +
                   "; mean over queries, largest of " + figures::heads(context) +
                   figures::over_windows(context, "shaded: 95 % interval of its mean");
  chart.x.kind = chart.y.kind = plot::Scale::Kind::logarithmic;
  chart.x.label = RichText("temperature ") + variable("T");
  chart.y.label = RichText("sensitivity ") + variable("g") + "(" + variable("T") + ", " + variable("\xCE\xB5") + ")";

  const std::vector<double> sizes = figures::distinct(table.numbers("epsilon"));
  // Bars of three sizes would hide each other at their common temperatures; bands show through.
  for (std::size_t i = 0; i < sizes.size(); ++i) add_interval(chart, table, sizes[i], kTones[i % kTones.size()].colour);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Tone tone = kTones[i % kTones.size()];
    chart.layers.emplace_back(
        figures::line(curve(table, "bound_sharp", sizes[i]), {{tone.colour, 0.9, Dash::dotted}, Marker::none}));
    chart.layers.emplace_back(
        figures::line(curve(table, "g_worst", sizes[i]), {{tone.colour, 0.9, Dash::dashed}, Marker::none}));
  }
  // The printed bound does not depend on ε.
  if (!sizes.empty()) {
    chart.layers.emplace_back(figures::line(curve(table, "bound_printed", sizes.front()), {kPrinted, Marker::none}));
  }
  std::vector<plot::Key> size_keys;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Tone tone = kTones[i % kTones.size()];
    const Look look{{tone.colour, 1.3}, tone.marker};
    chart.layers.emplace_back(figures::line(curve(table, "g", sizes[i]), look));
    size_keys.push_back(figures::key(variable("\xCE\xB5") + " = " + size_label(sizes[i]), look));
  }
  chart.legend = {size_keys,
                  {figures::key("worst direction", {{palette::grey, 0.9, Dash::dashed}, Marker::none}),
                   figures::key("sharp bound", {{palette::grey, 0.9, Dash::dotted}, Marker::none}),
                   figures::key("printed bound", {kPrinted, Marker::none})}};
  chart.caption =
      "Lines with markers: random directions, as in the paper. The printed bound is min{1/(4T), \xE2\x88\x9A"
      "2}, the "
      "sharp one min{1/(2T), \xE2\x88\x9A"
      "2/\xCE\xB5}.";
  return plot::draw(chart);
}

}  // namespace headroom::app
