#include "app/plot/heat_map.hpp"

#include <cmath>
#include <string>

#include "app/plot/svg.hpp"
#include "app/plot/xml.hpp"
#include "catch.hpp"

using namespace headroom::app::plot;
using headroom::app::test::xml_fault;

namespace {

// Relative luminance of WCAG 2.
double luminance(Colour colour) {
  const auto linear = [&](unsigned shift) {
    const double c = static_cast<double>((colour.rgb >> shift) & 0xFFU) / 255;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
}

}  // namespace

TEST_CASE("the scale of colours grows lighter at every step, so that it can be read without hue") {
  for (int i = 0; i < 100; ++i) CHECK(luminance(cividis((i + 1) / 100.0)) > luminance(cividis(i / 100.0)));
  CHECK(cividis(-1).rgb == cividis(0).rgb);
  CHECK(cividis(2).rgb == cividis(1).rgb);
}

TEST_CASE("a heat map colours its smallest cell dark and its largest light, and leaves an undefined one white") {
  HeatMap map;
  map.title = "<t>";
  map.x = {"0", "1", "2"};
  map.y = {"a"};
  map.values = {{2, std::nan(""), 5}};
  const std::string svg = to_svg(draw(map));
  CHECK(xml_fault(svg).empty());
  CHECK(svg.find("#00224E") != std::string::npos);
  CHECK(svg.find("#FEE838") != std::string::npos);
}

TEST_CASE("a heat map of no cells, of one, and of a thousand rows is drawn") {
  HeatMap map;
  CHECK(xml_fault(to_svg(draw(map))).empty());
  map.x = {"0"};
  for (int i = 0; i < 1000; ++i) {
    map.y.push_back(std::to_string(i));
    map.values.push_back({static_cast<double>(i % 2)});
  }
  CHECK(xml_fault(to_svg(draw(map))).empty());
}
