#include "model/text.hpp"

#include <fstream>

#include "catch.hpp"
#include "core/error.hpp"

using headroom::Error;
using namespace headroom::model;

namespace {

std::string encode(unsigned code) {
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0U | code >> 6U), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0U | code >> 12U), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | code >> 18U), tail(12), tail(6), tail(0)};
}

}  // namespace

TEST_CASE("every scalar value is UTF-8 and no surrogate is") {
  std::size_t wrong = 0;
  for (unsigned code = 0; code < 0x110000; ++code) {
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (first_invalid_utf8(encode(code)).has_value() != surrogate) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("of all sequences of up to three bytes, as many are UTF-8 as Unicode says") {
  // 128 + 1,920 + 61,440 characters of one, two and three bytes; their compositions give the two- and three-byte
  // counts.
  std::size_t two = 0;
  std::size_t three = 0;
  std::string text(3, '\0');
  for (unsigned code = 0; code < 1U << 24U; ++code) {
    text[0] = static_cast<char>(code >> 16U);
    text[1] = static_cast<char>(code >> 8U & 255U);
    text[2] = static_cast<char>(code & 255U);
    if (!first_invalid_utf8(text)) ++three;
    if (code % 256 == 0 && !first_invalid_utf8(std::string_view(text).substr(0, 2))) ++two;
  }
  CHECK(two == 128 * 128 + 1920);
  CHECK(three == 128 * 128 * 128 + 2 * 128 * 1920 + 61440);
}

TEST_CASE("the offset of a bad byte is right wherever it stands") {
  const std::string good = "plain ascii, then \xC3\xA9, \xE2\x80\xA9, \xF0\x9F\x98\x80 and plain ascii again";
  CHECK_FALSE(first_invalid_utf8(good));
  CHECK_FALSE(first_invalid_utf8(""));
  for (std::size_t at = 0; at <= good.size(); ++at) {
    const bool boundary = at == good.size() || (static_cast<unsigned char>(good[at]) & 0xC0U) != 0x80U;
    if (!boundary) continue;
    for (const std::string bad : {"\x80", "\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE0\x9F\xBF",
                                  "\xF0\x8F\xBF\xBF", "\xF5\x80\x80\x80"}) {
      CHECK(first_invalid_utf8(good.substr(0, at) + bad + good.substr(at)) == at);
    }
    CHECK(first_invalid_utf8(good.substr(0, at) + "\xF0\x9F\x98") == at);
  }
}

TEST_CASE("a text file is read unchanged or refused by name and byte") {
  const std::string file = "headroom_text_test.txt";
  const std::string text = std::string("\xEF\xBB\xBF") + "one\r\ntwo\0three\n" + std::string(1, '\0');
  std::ofstream(file, std::ios::binary) << text;
  CHECK(read_text(file) == text);
  CHECK(read_text(file, text.size()) == text);
  CHECK_THROWS_WITH(read_text(file, text.size() - 1), Catch::Matchers::Contains("at most"));
  std::ofstream(file, std::ios::binary) << "abc\xFF";
  CHECK_THROWS_WITH(read_text(file), Catch::Matchers::StartsWith(file + ": not UTF-8 at byte 3"));
  std::filesystem::remove(file);
  CHECK_THROWS_AS(read_text(file), Error);
}
