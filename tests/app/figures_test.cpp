#include "app/figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "app/csv.hpp"
#include "app/figure_tables.hpp"
#include "app/plot/svg.hpp"
#include "app/plot/xml.hpp"
#include "catch.hpp"
#include "core/error.hpp"

using namespace headroom::app;
using plot::Drawing;
using plot::Rect;
using plot::Text;

namespace {

struct Figure {
  std::string name;
  std::function<Drawing(const Table&, const FigureContext&)> draw;
  std::function<Table()> table;
};

std::vector<Figure> all_figures() {
  return {{"figure2a", figure2a, test::figure2a_table},
          {"figure2b", figure2b, test::figure2b_table},
          {"figure2c", figure2c, test::figure2c_table},
          {"figure3", figure3, test::figure3_table},
          {"figure4", figure4, test::figure4_table},
          {"figure2a over windows", figure2a,
           [] { return test::over_windows(test::figure2a_table(), figure2_columns(WindowCount::several)); }},
          {"figure2b over windows", figure2b,
           [] { return test::over_windows(test::figure2b_table(), figure2_columns(WindowCount::several)); }},
          {"figure2c over windows", figure2c,
           [] { return test::over_windows(test::figure2c_table(), figure2c_columns(WindowCount::several)); }},
          {"figure3 over windows", figure3,
           [] { return test::over_windows(test::figure3_table(), figure3_columns(WindowCount::several)); }},
          {"figure4 over windows", figure4,
           [] { return test::over_windows(test::figure4_table(), figure4_columns(WindowCount::several)); }}};
}

Table empty_like(const Table& table) { return {{table.columns().begin(), table.columns().end()}, table.source()}; }

/// The table with every number replaced.
Table mapped(const Table& table, const std::function<double(double, std::size_t column)>& change) {
  Table result = empty_like(table);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      Cell cell = table.cell(row, i);
      if (double* number = std::get_if<double>(&cell)) *number = change(*number, i);
      cells.push_back(cell);
    }
    result.add(cells);
  }
  return result;
}

Table first_row(const Table& table) {
  Table result = empty_like(table);
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < table.columns().size(); ++i) cells.push_back(table.cell(0, i));
  result.add(cells);
  return result;
}

std::vector<Text> texts(const Drawing& drawing) {
  std::vector<Text> result;
  for (const plot::Shape& shape : drawing.shapes) {
    if (const Text* text = std::get_if<Text>(&shape)) result.push_back(*text);
  }
  return result;
}

/// What a reader would complain about: texts over each other or cut off at the edge of the page.
std::string layout_fault(const Drawing& drawing) {
  const std::vector<Text> all = texts(drawing);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Rect a = plot::extent(all[i]);
    const std::string name = all[i].text.plain();
    if (a.x < 0 || a.y < 0 || a.right() > drawing.width || a.bottom() > drawing.height) return name + " is cut off";
    for (std::size_t k = 0; k < i; ++k) {
      if (a.overlaps(plot::extent(all[k]))) return name + " covers " + all[k].text.plain();
    }
  }
  return "";
}

FigureContext hostile_context() {
  return {"</text><script>alert(\"x\")</script>&'",
          std::string("\xFF\x01 war & peace ") + std::string(300, 'W'),
          1024,
          144,
          {}};
}

}  // namespace

TEST_CASE("no text of a figure covers another or leaves the page") {
  for (const Figure& figure : all_figures()) {
    const Table table = figure.table();
    INFO(figure.name);
    CHECK(layout_fault(figure.draw(table, test::figure_context())) == "");
    CHECK(layout_fault(figure.draw(table, hostile_context())) == "");
    CHECK(layout_fault(figure.draw(first_row(table), test::figure_context())) == "");
    CHECK(layout_fault(figure.draw(empty_like(table), FigureContext{})) == "");
  }
}

TEST_CASE("a figure is well-formed SVG of a paper column's width, the same bytes each time") {
  for (const Figure& figure : all_figures()) {
    const std::string svg = plot::to_svg(figure.draw(figure.table(), test::figure_context()));
    INFO(figure.name);
    CHECK(test::xml_fault(svg) == "");
    CHECK(svg.find("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"241pt\"") != std::string::npos);
    CHECK(svg == plot::to_svg(figure.draw(figure.table(), test::figure_context())));
    CHECK(svg.find("<text") != std::string::npos);
    CHECK(svg.size() < 200'000);
  }
}

TEST_CASE("a hostile model or text name shows as text") {
  for (const Figure& figure : all_figures()) {
    const std::string svg = plot::to_svg(figure.draw(figure.table(), hostile_context()));
    INFO(figure.name);
    CHECK(test::xml_fault(svg) == "");
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find("&lt;/text&gt;") != std::string::npos);
  }
}

TEST_CASE("numbers of any size leave a figure that can be shown") {
  const std::vector<double> nasty = {NAN, HUGE_VAL, -HUGE_VAL, 0, -1, 1e308, -1e308, 5e-324, 0.5, 1e-300};
  for (const Figure& figure : all_figures()) {
    for (std::size_t shift = 0; shift < nasty.size(); ++shift) {
      std::size_t next = shift;
      const Table values = mapped(figure.table(), [&](double number, std::size_t column) {
        return column < 2 ? number : nasty[next++ % nasty.size()];
      });
      const Table every = mapped(figure.table(), [&](double, std::size_t) { return nasty[shift]; });
      for (const Table& table : {values, every}) {
        const std::string svg = plot::to_svg(figure.draw(table, test::figure_context()));
        INFO(figure.name << ", " << nasty[shift]);
        CHECK(test::xml_fault(svg) == "");
        CHECK(svg.find("nan,") == std::string::npos);
        CHECK(svg.find("inf,") == std::string::npos);
        CHECK(svg.find(",nan") == std::string::npos);
        CHECK(svg.find(",inf") == std::string::npos);
      }
    }
  }
}

TEST_CASE("a figure without data says so") {
  for (const Figure& figure : all_figures()) {
    const std::vector<Text> all = texts(figure.draw(empty_like(figure.table()), test::figure_context()));
    CHECK(std::any_of(all.begin(), all.end(), [](const Text& text) { return text.text.plain() == "no data"; }));
  }
}

TEST_CASE("the columns are those that the program promises") {
  const auto header = [](std::vector<Column> columns) {
    const std::string csv = to_csv(Table(std::move(columns), "x"));
    return csv.substr(0, csv.size() - 1);
  };
  CHECK(header(figure2_columns()) ==
        "length,top,distance,expected,expected_full,expected_upper,distance_upper,distance_lower_sharp,"
        "distance_upper_sharp,distance_sd,expected_sd,expected_full_sd,expected_upper_sd,distance_upper_sd,"
        "distance_lower_sharp_sd,distance_upper_sharp_sd");
  CHECK(header(figure2c_columns()) == "length,against,critical_top,ratio,statistic,p_value");
  CHECK(header(figure2_columns(WindowCount::several)) ==
        header(figure2_columns()) +
            ",distance_ci_low,distance_ci_high,expected_ci_low,expected_ci_high,expected_full_ci_low,"
            "expected_full_ci_high,expected_upper_ci_low,expected_upper_ci_high,distance_upper_ci_low,"
            "distance_upper_ci_high,distance_lower_sharp_ci_low,distance_lower_sharp_ci_high,"
            "distance_upper_sharp_ci_low,distance_upper_sharp_ci_high");
  CHECK(header(figure2c_columns(WindowCount::several)) ==
        header(figure2c_columns()) + ",critical_top_smallest,critical_top_largest,windows_found");
  CHECK(header(figure3_columns(WindowCount::several)) ==
        header(figure3_columns()) +
            ",separable_ci_low,separable_ci_high,separable_lower_ci_low,separable_lower_ci_high,"
            "separable_upper_ci_low,separable_upper_ci_high,separable_law_ci_low,separable_law_ci_high,"
            "separable_over_heads,separable_over_heads_ci_low,separable_over_heads_ci_high");
  CHECK(header(figure4_columns(WindowCount::several)) ==
        header(figure4_columns()) +
            ",g_ci_low,g_ci_high,g_worst_ci_low,g_worst_ci_high,jacobian_norm_ci_low,jacobian_norm_ci_high");
  CHECK(header(figure3_columns()) == "top,layer,head,separable,separable_lower,separable_upper,separable_law");
  CHECK(header(figure4_columns()) == "temperature,epsilon,g,g_worst,bound_printed,bound_sharp,jacobian_norm");
}

TEST_CASE("a figure from its CSV is the figure from its table") {
  for (const Figure& figure : all_figures()) {
    const Table table = figure.table();
    const Table back = parse_csv(to_csv(table), {table.columns().begin(), table.columns().end()}, table.source());
    CHECK(plot::to_svg(figure.draw(back, test::figure_context())) ==
          plot::to_svg(figure.draw(table, test::figure_context())));
  }
}

TEST_CASE("a table of another figure is refused by the name of a column") {
  CHECK_THROWS_AS(figure2a(test::figure3_table(), {}), headroom::Error);
  CHECK_THROWS_AS(figure3(test::figure2c_table(), {}), headroom::Error);
  CHECK_THROWS_AS(figure4(test::figure2a_table(), {}), headroom::Error);
}

TEST_CASE("markers of a logarithmic figure stand where the data are") {
  const Table table = test::figure2a_table();
  std::vector<plot::Point> centres;
  for (const plot::Shape& shape : figure2a(table, test::figure_context()).shapes) {
    const plot::Circle* circle = std::get_if<plot::Circle>(&shape);
    if (circle != nullptr) centres.push_back(circle->centre);
  }
  // The legend's sample comes first, then D, the only series with circles.
  REQUIRE(centres.size() == 1 + table.rows());
  centres.erase(centres.begin());
  const std::vector<double> d = table.numbers("distance");
  const double per_decade = (centres[0].y - centres[1].y) / std::log10(d[1] / d[0]);
  for (std::size_t i = 1; i < centres.size(); ++i) {
    CHECK(centres[i].x - centres[i - 1].x == Approx(centres[1].x - centres[0].x));
    CHECK(centres[0].y - centres[i].y == Approx(per_decade * std::log10(d[i] / d[0])));
  }
}

TEST_CASE("a length without critical N is marked open, at the largest N tried") {
  int open = 0;
  for (const plot::Shape& shape : figure2c(test::figure2c_table(), test::figure_context()).shapes) {
    const plot::Path* path = std::get_if<plot::Path>(&shape);
    if (path == nullptr || path->points.size() != 3 || !path->fill) continue;
    ++open;
    CHECK(path->fill->colour.rgb == plot::palette::paper.rgb);
  }
  CHECK(open == 4 + 1);  // four lengths and the legend
}

TEST_CASE("error bars end where the interval does") {
  const Table table = test::over_windows(test::figure2a_table(), figure2_columns(WindowCount::several));
  FigureContext context = test::figure_context();
  context.windows = 6;
  const Drawing drawing = figure2a(table, context);
  CHECK(drawing.description.find("over 6 windows") != std::string::npos);
  // Vertical strokes in the colour of D, one for each length; a factor of 1.07/0.93 is the same height everywhere.
  std::vector<double> heights;
  for (const plot::Shape& shape : drawing.shapes) {
    const plot::Path* path = std::get_if<plot::Path>(&shape);
    if (path == nullptr || !path->stroke || path->stroke->colour.rgb != plot::palette::blue.rgb) continue;
    if (path->points.size() != 2 || path->points[0].x != path->points[1].x) continue;
    heights.push_back(path->points[1].y - path->points[0].y);
  }
  REQUIRE(heights.size() == table.rows());
  for (const double height : heights) CHECK(height == Approx(heights[0]));
  CHECK(heights[0] > 0);
}

TEST_CASE("a label written into the plot covers no data") {
  const Drawing drawing = figure2c(test::figure2c_table(), test::figure_context());
  for (const Text& text : texts(drawing)) {
    if (!text.halo) continue;
    const Rect label = plot::extent(text);
    for (const plot::Shape& shape : drawing.shapes) {
      const plot::Path* path = std::get_if<plot::Path>(&shape);
      if (path == nullptr || !path->stroke || path->stroke->colour.rgb == plot::palette::grid.rgb) continue;
      CHECK(std::none_of(path->points.begin(), path->points.end(),
                         [&](const plot::Point& p) { return label.contains(p); }));
    }
  }
}
