#include <array>
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

constexpr std::array<const char*, 7> kMeans = {"distance",
                                               "expected",
                                               "expected_full",
                                               "expected_upper",
                                               "distance_upper",
                                               "distance_lower_sharp",
                                               "distance_upper_sharp"};

// One colour per quantity: what bounds D is D's colour, thinner.
constexpr Look kDistance{{palette::blue, 1.3}, Marker::circle};
constexpr Look kFull{{palette::vermilion, 1.3}, Marker::square};
constexpr Look kExpected{{palette::green, 1.3}, Marker::diamond};
constexpr Look kSharp{{palette::blue, 0.9, Dash::dotted}};
constexpr Look kPrinted{{palette::ink, 0.9, Dash::dashed}};

constexpr const char* kInterval = "bars: 95 % interval of the mean";

void add_with_spread(plot::Chart& chart, const Table& table, const std::vector<double>& x, const std::string& name,
                     const Look& look) {
  const std::vector<double> mean = table.numbers(name);
  const std::vector<double> sd = table.numbers(name + "_sd");
  plot::Band band{x, mean, mean, plot::Fill{look.stroke.colour, 0.16}};
  for (std::size_t i = 0; i < mean.size(); ++i) {
    band.low[i] -= sd[i];
    band.high[i] += sd[i];
  }
  // Bands go below every line.
  chart.layers.insert(chart.layers.begin(), std::move(band));
  figures::add_bars(chart, table, x, name, look);
  chart.layers.emplace_back(figures::line(figures::points(x, mean), look));
}

plot::Chart distance_chart(const Table& table, const std::string& along) {
  plot::Chart chart;
  const std::vector<double> x = table.numbers(along);
  chart.x.kind = plot::Scale::Kind::logarithmic;
  chart.x.labelled = figures::distinct(x);
  chart.y.kind = plot::Scale::Kind::logarithmic;
  chart.y.label = "cumulative distance";
  const auto bound = [&](const std::string& name, const Look& look) {
    chart.layers.emplace_back(figures::line(figures::points(x, table.numbers(name)), look));
  };
  bound("distance_upper", kPrinted);
  bound("distance_upper_sharp", kSharp);
  bound("distance_lower_sharp", kSharp);
  add_with_spread(chart, table, x, "expected_full", kFull);
  add_with_spread(chart, table, x, "expected", kExpected);
  add_with_spread(chart, table, x, "distance", kDistance);
  const RichText d = variable("D");
  const RichText e = variable("E");
  chart.legend = {{figures::key(d + " of the top " + variable("N"), kDistance),
                   figures::key(e + plot::subscript("1"), kFull), figures::key(e + plot::subscript("0"), kExpected)},
                  {figures::key(RichText("printed bound of ") + d, kPrinted),
                   figures::key(RichText("sharp bounds of ") + d, kSharp)}};
  chart.caption =
      "For N tokens picked at random, E\xE2\x82\x80 is the expected distance as the theorem prints it; E\xE2\x82\x81 "
      "drops the selection probability inside the norm.";
  return chart;
}

std::string fixed_value(const Table& table, const std::string& name) {
  const std::vector<double> values = table.numbers(name);
  return values.empty() ? "?" : number_text(values.front());
}

}  // namespace

std::vector<std::string> figure2_measures() { return {kMeans.begin(), kMeans.end()}; }

std::vector<Column> figure2_columns(WindowCount windows) {
  std::vector<Column> columns = {{"length"}, {"top"}};
  for (const char* name : kMeans) columns.push_back({name});
  for (const char* name : kMeans) columns.push_back({std::string(name) + "_sd"});
  if (windows == WindowCount::several) figures::append_intervals(columns, figure2_measures());
  return columns;
}

plot::Drawing figure2a(const Table& table, const FigureContext& context) {
  plot::Chart chart = distance_chart(table, "length");
  chart.title = "Distance as the context grows";
  chart.subtitle = figures::origin(context) + ", N = " + fixed_value(table, "top") + "; " + "mean over " +
                   figures::heads(context) + ", shaded \xC2\xB1 1 sd" + figures::over_windows(context, kInterval);
  chart.x.label = RichText("context length ") + variable("L");
  return plot::draw(chart);
}

plot::Drawing figure2b(const Table& table, const FigureContext& context) {
  plot::Chart chart = distance_chart(table, "top");
  chart.title = "Distance as the selection grows";
  chart.subtitle = figures::origin(context) + ", L = " + fixed_value(table, "length") + "; " + "mean over " +
                   figures::heads(context) + ", shaded \xC2\xB1 1 sd" + figures::over_windows(context, kInterval);
  chart.x.label = RichText("selected tokens ") + variable("N");
  return plot::draw(chart);
}

}  // namespace headroom::app
