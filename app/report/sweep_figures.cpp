#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "app/csv.hpp"
#include "app/figures/common.hpp"
#include "app/figures/series.hpp"
#include "app/plot/heat_map.hpp"
#include "app/report/short_names.hpp"
#include "app/report/static_figures.hpp"
#include "app/report/swept_grid.hpp"

namespace headroom::app {
namespace {

// So many lines have looks of their own; more are a map.
constexpr std::size_t kMostLines = 12;
// Memory for a table that is not bound for a page: some 80 MB.
constexpr std::size_t kMostCells = 2'000'000;
// An axis whose ends are so far apart is logarithmic, and one of equal ratios.
constexpr double kWide = 16;
constexpr double kRounded = 0.02;  // of ratios, where values are whole
constexpr double k95 = 1.959963984540054;

// An axis of the grid: of numbers ascending, of texts as they come.
struct Axis {
  std::string name;
  bool text = false;
  std::vector<Cell> values;
  std::vector<std::size_t> at;  // of each row, which value
};

Axis axis_of(const Table& table, const std::string& name) {
  Axis axis{name, false, {}, {}};
  std::vector<Cell> of_row;
  for (const Column& column : table.columns()) {
    if (column.name == name) axis.text = column.kind == Column::Kind::text;
  }
  if (axis.text) {
    for (std::string& text : table.texts(name)) of_row.emplace_back(std::move(text));
  } else {
    for (const double number : table.numbers(name)) of_row.emplace_back(number);
  }
  for (const Cell& value : of_row) {
    if (std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end()) axis.values.push_back(value);
  }
  if (!axis.text) std::sort(axis.values.begin(), axis.values.end());
  for (const Cell& value : of_row) {
    const auto found = std::find(axis.values.begin(), axis.values.end(), value);
    axis.at.push_back(static_cast<std::size_t>(found - axis.values.begin()));
  }
  return axis;
}

std::string text_of(const Cell& value) {
  if (const double* number = std::get_if<double>(&value)) return number_text(*number);
  return short_name(std::get<std::string>(value));
}

// The field's symbol of a key, or its name.
plot::RichText symbol_of(const std::string& axis) {
  if (axis == "length") return plot::variable("L");
  if (axis == "top") return plot::variable("N");
  if (axis == "dim") return plot::variable("d");
  if (axis == "temperature") return plot::variable("T");
  if (axis == "separation") return plot::variable("\xCE\xB4");
  return axis;
}

plot::RichText label_of(const std::string& axis) {
  if (axis == "length") return plot::RichText("context length ") + symbol_of(axis);
  if (axis == "top") return plot::RichText("selected tokens ") + symbol_of(axis);
  if (axis == "dim") return plot::RichText("dimension ") + symbol_of(axis);
  if (axis == "temperature" || axis == "separation") return plot::RichText(axis + " ") + symbol_of(axis);
  return axis;
}

bool is_logarithmic(const std::vector<double>& values) {
  if (values.front() <= 0 || values.size() < 2) return false;
  bool geometric = values.size() > 2;
  for (std::size_t i = 1; i < values.size(); ++i) {
    geometric = geometric && std::abs(values[i] / values[i - 1] * values[0] / values[1] - 1) < kRounded;
  }
  return geometric || values.back() >= kWide * values.front();
}

// What is drawn of a grid: one axis along, one across where there is another, the rest at their middle values.
struct Cut {
  Axis along;
  std::optional<Axis> across;
  std::vector<std::size_t> rows;
  std::string where;
};

// The longest axis of numbers along, the length before all others; of texts only where there is nothing else.
std::size_t choose(const std::vector<Axis>& axes, std::size_t but) {
  std::size_t best = axes.size();
  const auto rank = [](const Axis& axis) {
    return std::tuple(!axis.text, axis.name == "length", axis.name == "top", axis.values.size());
  };
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i != but && (best == axes.size() || rank(axes[i]) > rank(axes[best]))) best = i;
  }
  return best;
}

Cut cut_of(const SweptGrid& grid) {
  std::vector<Axis> axes;
  for (const std::string& name : grid.axes) axes.push_back(axis_of(grid.table, name));
  const std::size_t along = choose(axes, axes.size());
  const std::size_t across = axes.size() > 1 ? choose(axes, along) : along;
  Cut cut{axes[along], std::nullopt, {}, {}};
  if (across != along) cut.across = axes[across];
  std::vector<std::size_t> wanted;
  for (const Axis& axis : axes) wanted.push_back(axis.text ? 0 : axis.values.size() / 2);
  for (std::size_t row = 0; row < grid.table.rows(); ++row) {
    bool inside = true;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      inside = inside && (i == along || i == across || axes[i].at[row] == wanted[i]);
    }
    if (inside) cut.rows.push_back(row);
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i != along && i != across) cut.where += axes[i].name + " = " + text_of(axes[i].values[wanted[i]]) + ", ";
  }
  for (const auto& [name, value] : grid.constants) cut.where += name + " = " + value + ", ";
  cut.where.resize(cut.where.size() - std::min<std::size_t>(2, cut.where.size()));
  return cut;
}

plot::Drawing draw_lines(const SweptGrid& grid, const Cut& cut, const std::string& quantity) {
  const auto value = grid.table.optional_numbers(quantity);
  const auto error = grid.table.optional_numbers(quantity + "_se");
  plot::Chart chart;
  chart.title = quantity;
  chart.subtitle = cut.where;
  chart.x.label = label_of(cut.along.name);
  chart.y.label = quantity;
  std::vector<double> x;
  for (const Cell& at : cut.along.values) x.push_back(std::get<double>(at));
  if (is_logarithmic(x)) chart.x.kind = plot::Scale::Kind::logarithmic;
  if (x.size() <= kMostLines) chart.x.labelled = x;
  chart.legend.resize(1);
  const std::size_t lines = cut.across ? cut.across->values.size() : 1;
  bool some_errors = false;
  for (std::size_t line = 0; line < lines; ++line) {
    const figures::Look look = figures::series_look(line);
    std::vector<plot::Point> points;
    plot::ErrorBars bars{{}, look.stroke.colour};
    for (const std::size_t row : cut.rows) {
      if (!value[row] || (cut.across && cut.across->at[row] != line)) continue;
      points.push_back({x[cut.along.at[row]], *value[row]});
      if (!error[row]) continue;
      bars.bars.push_back({points.back().x, *value[row] - k95 * *error[row], *value[row] + k95 * *error[row]});
      some_errors = true;
    }
    std::sort(points.begin(), points.end(), [](plot::Point a, plot::Point b) { return a.x < b.x; });
    chart.layers.emplace_back(std::move(bars));
    chart.layers.emplace_back(figures::line(std::move(points), look));
    if (!cut.across) continue;
    const std::string name = text_of(cut.across->values[line]);
    chart.legend.front().push_back(figures::key(
        cut.across->text ? plot::RichText(name) : symbol_of(cut.across->name) + plot::RichText(" = " + name), look));
  }
  if (some_errors) chart.caption = "Bars: 95 % interval of the mean.";
  return plot::draw(chart);
}

plot::Drawing draw_map(const SweptGrid& grid, const Cut& cut, const std::string& quantity) {
  const auto value = grid.table.optional_numbers(quantity);
  plot::HeatMap map;
  map.title = quantity;
  map.subtitle = cut.where;
  map.x_label = label_of(cut.along.name);
  map.y_label = cut.across ? label_of(cut.across->name) : plot::RichText();
  for (const Cell& at : cut.along.values) map.x.push_back(text_of(at));
  if (cut.across) {
    for (const Cell& at : cut.across->values) map.y.push_back(text_of(at));
  } else {
    map.y.emplace_back();
  }
  map.values.assign(map.y.size(), std::vector<double>(map.x.size(), std::nan("")));
  for (const std::size_t row : cut.rows) {
    map.values[cut.across ? cut.across->at[row] : 0][cut.along.at[row]] = value[row].value_or(std::nan(""));
  }
  return plot::draw(map);
}

// As part of the name of a file.
std::string file_name(const std::string& quantity) {
  std::string name;
  for (const char c : quantity) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
    name += plain ? c : '-';
  }
  return name;
}

}  // namespace

std::vector<StaticFigure> sweep_figures(ResultFolder& folder) {
  const auto grid = swept_grid(folder, kMostCells);
  if (!grid || grid->axes.empty() || grid->table.rows() == 0) return {};
  const Cut cut = cut_of(*grid);
  const bool lines = !cut.along.text && (!cut.across || cut.across->values.size() <= kMostLines);
  std::vector<StaticFigure> figures;
  for (const std::string& quantity : grid->quantities) {
    const auto value = grid->table.optional_numbers(quantity);
    if (std::none_of(cut.rows.begin(), cut.rows.end(), [&](std::size_t row) { return value[row].has_value(); }))
      continue;
    figures.push_back({file_name(quantity), lines ? draw_lines(*grid, cut, quantity) : draw_map(*grid, cut, quantity)});
  }
  return figures;
}

}  // namespace headroom::app
