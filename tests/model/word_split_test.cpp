#include "model/word_split.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace headroom::model;

namespace {

std::vector<std::string> split(std::string_view text) {
  static const WordPattern pattern;
  std::vector<std::string> found;
  Words words(pattern, text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) found.emplace_back(word);
  return found;
}

using List = std::vector<std::string>;

std::string encode(unsigned code) {
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0U | code >> 6U), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0U | code >> 12U), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | code >> 18U), tail(12), tail(6), tail(0)};
}

/// Which code points the fixture lists under a name.
std::vector<bool> members(const nlohmann::json& fixture, const char* name) {
  std::vector<bool> is_member(0x110000, false);
  for (const auto& range : fixture.at(name)) {
    for (unsigned code = range[0]; code <= range[1].get<unsigned>(); ++code) is_member[code] = true;
  }
  return is_member;
}

}  // namespace

TEST_CASE("a text splits into words as GPT-2's pattern says") {
  CHECK(split("").empty());
  CHECK(split("Hello world") == List{"Hello", " world"});
  CHECK(split("I'm he'll DON'T 'twas") == List{"I", "'m", " he", "'ll", " DON", "'", "T", " '", "twas"});
  CHECK(split("'s't're've'm'll'd're") == List{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'re"});
  CHECK(split("in 1812, 3.5%") == List{"in", " 1812", ",", " 3", ".", "5", "%"});
  CHECK(split("abc123") == List{"abc", "123"});
}

TEST_CASE("of a run of spaces the last goes with the word, and a run at the end stays whole") {
  CHECK(split("a   b") == List{"a", "  ", " b"});
  CHECK(split("a   ") == List{"a", "   "});
  CHECK(split("a \n\nb") == List{"a", " \n", "\n", "b"});
  CHECK(split("a\nb") == List{"a", "\n", "b"});
  CHECK(split("\t\tx") == List{"\t", "\t", "x"});
}

TEST_CASE("every code point is a space, a letter, a number or neither, as in the module GPT-2 was encoded with") {
  std::ifstream stream(HEADROOM_SOURCE "/tests/model/fixtures/tokenizer.json");
  const nlohmann::json fixture = nlohmann::json::parse(stream);
  const std::vector<bool> spaces = members(fixture, "spaces");
  const std::vector<bool> letters = members(fixture, "letters");
  const std::vector<bool> numbers = members(fixture, "numbers");
  const std::vector<bool> assigned = members(fixture, "assigned");
  std::vector<unsigned> wrong;
  for (unsigned code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    const std::string c = encode(code);
    // Only a space parts with a copy of itself when something else follows.
    const bool space = split(c + c + "!").front() == c;
    const bool letter = split("a" + c).size() == 1;
    const bool number = split("1" + c).size() == 1;
    if (space != spaces[code]) wrong.push_back(code);
    if (assigned[code] && (letter != letters[code] || number != numbers[code])) wrong.push_back(code);
  }
  CHECK(wrong == std::vector<unsigned>{});
}

TEST_CASE("words may be as long as the text") {
  constexpr std::size_t size = 4000000;
  for (const std::string& unit : List{"a", " ", "\n", "7", "!", "'", "\xE2\x80\xA9", "\xF0\x9F\x98\x80"}) {
    std::string text;
    while (text.size() < size) text += unit;
    CHECK(split(text).size() == 1);
    const List before_letter = split(text + "x");
    CHECK(before_letter.back().back() == 'x');
    CHECK(before_letter.size() <= 3);
  }
}
