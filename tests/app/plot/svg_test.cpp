#include "app/plot/svg.hpp"

#include <string>

#include "app/plot/xml.hpp"
#include "catch.hpp"

using namespace headroom::app::plot;
using headroom::app::test::xml_fault;

namespace {

Drawing text_drawing(const RichText& text) { return {"t", "d", 100, 50, {Text{{10, 20}, text, 7}}}; }

}  // namespace

TEST_CASE("markup in a text shows as text") {
  CHECK(escape_xml("<script>alert(\"x\" & 'y')</script>") ==
        "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;");
  CHECK(escape_xml("naïve – 模型 🚀\t\n") == "naïve – 模型 🚀\t\n");
}

TEST_CASE("what XML cannot hold becomes a replacement character") {
  const std::string r = "\xEF\xBF\xBD";
  CHECK(escape_xml(std::string("a\0b", 3)) == "a" + r + "b");
  CHECK(escape_xml("\x01\x1F\x1B") == r + r + r);
  CHECK(escape_xml("\xFF\xFE") == r + r);
  CHECK(escape_xml("\xC3") == r);                          // cut off
  CHECK(escape_xml("\xC0\x80") == r + r);                  // overlong
  CHECK(escape_xml("\xE0\x80\x80") == r + r + r);          // overlong
  CHECK(escape_xml("\xED\xA0\x80") == r + r + r);          // a surrogate
  CHECK(escape_xml("\xEF\xBF\xBF") == r + r + r);          // U+FFFF
  CHECK(escape_xml("\xF4\x90\x80\x80") == r + r + r + r);  // beyond U+10FFFF
  CHECK(escape_xml("\xC2\x85") == r + r);                  // a control character
}

TEST_CASE("titles, descriptions and texts of any bytes leave the file well-formed") {
  std::string bytes;
  for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
  Drawing drawing = text_drawing(bytes);
  drawing.title = drawing.description = bytes;
  CHECK(xml_fault(to_svg(drawing)).empty());
}

TEST_CASE("raised text returns to the line") {
  const std::string svg = to_svg(text_drawing(RichText("10") + superscript("2") + subscript("i") + " after"));
  CHECK(xml_fault(svg).empty());
  double sum = 0;
  for (std::size_t at = svg.find("dy=\""); at != std::string::npos; at = svg.find("dy=\"", at + 1)) {
    sum += std::stod(svg.substr(at + 4));
  }
  CHECK(sum == Approx(0).margin(0.011));
}

TEST_CASE("the same drawing gives the same bytes") {
  Drawing drawing{"t", "d", 10, 10, {}};
  drawing.shapes.emplace_back(Path{{{1.0 / 3, 0.005}, {-0.001, 2}}, false, Stroke{palette::blue, 1, Dash::dashed}, {}});
  drawing.shapes.emplace_back(Circle{{1, 2}, 0.5, std::nullopt, Fill{palette::orange, 0.5}});
  const std::string svg = to_svg(drawing);
  CHECK(svg.find("<polyline points=\"0.33,0.01 0,2\" fill=\"none\" stroke=\"#0072B2\" stroke-width=\"1\" "
                 "stroke-dasharray=\"4 2\"/>") != std::string::npos);
  CHECK(svg.find("<circle cx=\"1\" cy=\"2\" r=\"0.5\" fill=\"#E69F00\" fill-opacity=\"0.5\"/>") != std::string::npos);
}

TEST_CASE("the check for well-formed XML sees what is wrong") {
  const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  CHECK(xml_fault(head + "<a x=\"1\"><b/>&lt;</a>\n").empty());
  for (const char* bad : {"<a>", "<a></b>", "<a/><b/>", "<a x=1/>", "<a x=\"1\" x=\"2\"/>", "<a>&</a>", "<a x=\"&\"/>",
                          "<a x=\"1\"y=\"2\"/>", "<a/>text", "<a", "<a x=\"<\"/>"}) {
    CHECK_FALSE(xml_fault(head + bad).empty());
  }
}
