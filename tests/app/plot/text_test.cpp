#include "app/plot/text.hpp"

#include <string>

#include "catch.hpp"

using namespace headroom::app::plot;

TEST_CASE("a string becomes text, never markup") {
  const RichText text = std::string("N_s^2 <i>");
  CHECK(text.runs().size() == 1);
  CHECK(text.plain() == "N_s^2 <i>");
}

TEST_CASE("widths add up over runs, and raised text is narrower") {
  CHECK(text_width(RichText("ab") + variable("c"), 7) == Approx(plain_width("abc", 7)));
  CHECK(text_width(superscript("ab"), 10) == Approx(kScriptSize * plain_width("ab", 10)));
  CHECK(plain_width("0", 1000) == Approx(636));  // advance of the digits in DejaVu Sans
}

TEST_CASE("an elided text fits, ends in an ellipsis and is cut between characters") {
  CHECK(elide("short", 7, 100) == "short");
  const std::string name = "模型模型模型模型模型";
  for (double width = 8; width < 60; width += 0.7) {
    const std::string cut = elide(name, 7, width);
    CHECK(plain_width(cut, 7) <= width);
    CHECK(cut.ends_with("…"));
    CHECK(name.starts_with(cut.substr(0, cut.size() - std::string("…").size())));
    CHECK((cut.size() - 3) % 3 == 0);
  }
}

TEST_CASE("wrapped lines fit, hold every word once and in order") {
  const std::string text = "the quick brown fox jumps over the lazy dog again and again";
  for (double width = 40; width < 260; width += 3) {
    std::string joined;
    for (const std::string& line : wrap(text, 7, width)) {
      CHECK(plain_width(line, 7) <= width);
      if (!joined.empty()) joined += ' ';
      joined += line;
    }
    CHECK(joined == text);
  }
  CHECK(wrap("", 7, 100).empty());
  CHECK(wrap("   ", 7, 100).empty());
}

TEST_CASE("balanced lines leave no lone word at the end") {
  const auto lines = wrap("one two three four five six seven", 7, plain_width("one two three four five six", 7) + 1);
  REQUIRE(lines.size() == 2);
  CHECK(lines[1].find(' ') != std::string::npos);
}
