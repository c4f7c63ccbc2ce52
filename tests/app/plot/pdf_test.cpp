#include "app/plot/pdf.hpp"

#include <string>

#include "app/plot/svg.hpp"
#include "catch.hpp"
#include "core/error.hpp"

using namespace headroom::app::plot;

namespace {

std::string svg_of(const std::string& text) {
  Drawing drawing{"title", "", 241, 100, {}};
  drawing.shapes.emplace_back(Text{{10, 20}, text, 7});
  return to_svg(drawing);
}

}  // namespace

TEST_CASE("a PDF has the size of its SVG in points and says when its data were made") {
  const std::string pdf = to_pdf(svg_of("text"), "A title", "2026-01-02T03:04:05Z");
  CHECK(pdf.starts_with("%PDF-"));
  CHECK(pdf.find("/MediaBox [ 0 0 241 100 ]") != std::string::npos);
  CHECK(pdf.find("/CreationDate (20260102030405Z)") != std::string::npos);
  CHECK(pdf.find("A title") != std::string::npos);
}

TEST_CASE("the same drawing gives the same PDF") {
  CHECK(to_pdf(svg_of("a"), "t", "2026-01-02T03:04:05Z") == to_pdf(svg_of("a"), "t", "2026-01-02T03:04:05Z"));
}

TEST_CASE("what is no SVG is an error, not a broken PDF") {
  CHECK_THROWS_AS(to_pdf("no image", "t", ""), headroom::Error);
}
