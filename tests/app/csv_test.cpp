#include "app/csv.hpp"

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"

using namespace headroom::app;
using headroom::Error;

namespace {

const std::vector<Column> kColumns = {
    {"length", Column::Kind::number}, {"critical_top", Column::Kind::optional_number}, {"against", Column::Kind::text}};

std::string message_of(const std::string& csv) {
  try {
    (void)parse_csv(csv, kColumns, "a.csv");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every float64 reads back as itself, bit for bit") {
  std::mt19937_64 bits(7);
  for (int i = 0; i < 200'000; ++i) {
    const double value = std::bit_cast<double>(bits());
    if (std::isnan(value)) continue;
    const std::optional<double> back = parse_number(number_text(value));
    if (!back || std::bit_cast<std::uint64_t>(*back) != std::bit_cast<std::uint64_t>(value)) FAIL(number_text(value));
  }
  for (const double value : {0.0, -0.0, DBL_TRUE_MIN, DBL_MIN, DBL_MAX, -DBL_MAX, 9007199254740992.0, 0.1, HUGE_VAL}) {
    CHECK(std::bit_cast<std::uint64_t>(*parse_number(number_text(value))) == std::bit_cast<std::uint64_t>(value));
  }
  CHECK(std::isnan(*parse_number(number_text(NAN))));
}

TEST_CASE("numbers are written the way people read them") {
  CHECK(number_text(1024) == "1024");
  CHECK(number_text(100000) == "100000");
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(-0.0) == "-0");
  CHECK(number_text(1e-300) == "1e-300");
  CHECK(number_text(HUGE_VAL) == "inf");
  CHECK(number_text(-HUGE_VAL) == "-inf");
  CHECK(number_text(-NAN) == "nan");
}

TEST_CASE("text that is no number in full is none") {
  for (const char* text : {"", " 1", "1 ", "1,5", "0x10", "infinity", "NAN", "nan(1)", "+1", "1e999", "1e", "--1"}) {
    CHECK_FALSE(parse_number(text).has_value());
  }
}

TEST_CASE("a table survives CSV, whatever its texts hold") {
  Table table(kColumns, "a.csv");
  for (const char* text : {"plain", "", "a,b", "say \"no\"", "two\nlines", "\r\n", "\"", ",", " padded ", "naïve ∞"}) {
    table.add({1.0 / 3, std::monostate{}, std::string(text)});
    table.add({-HUGE_VAL, 61.0, std::string(text)});
  }
  const std::string csv = to_csv(table);
  const Table back = parse_csv(csv, kColumns, "a.csv");
  CHECK(to_csv(back) == csv);
  CHECK(back.texts("against") == table.texts("against"));
  CHECK(back.numbers("length") == table.numbers("length"));
  CHECK(back.optional_numbers("critical_top") == table.optional_numbers("critical_top"));
}

TEST_CASE("a column of one empty cell is a row, not a blank line") {
  Table table({{"text", Column::Kind::text}}, "a.csv");
  table.add({std::string()});
  CHECK(parse_csv(to_csv(table), {{"text", Column::Kind::text}}, "a.csv").rows() == 1);
}

TEST_CASE("the layout on disk is fixed") {
  Table table(kColumns, "a.csv");
  table.add({32.0, std::monostate{}, std::string("expected")});
  CHECK(to_csv(table) == "length,critical_top,against\n32,,expected\n");
}

TEST_CASE("line ends of other systems are taken") {
  const Table table = parse_csv("length,critical_top,against\r\n32,17,expected\r\n", kColumns, "a.csv");
  CHECK(table.texts("against") == std::vector<std::string>{"expected"});
}

TEST_CASE("a damaged file is refused with its line") {
  const std::string head = "length,critical_top,against\n";
  CHECK(contains(message_of(""), "a.csv: the file is empty"));
  CHECK(contains(message_of("length,critical_top\n"), "'against' is missing"));
  CHECK(contains(message_of("length,critical_top,against,more\n"), "column 4 is 'more'"));
  CHECK(contains(message_of("length,against,critical_top\n"), "it should be 'critical_top'"));
  CHECK(contains(message_of(head + "32,17,a\n64,x,b\n"), "a.csv, line 3, column critical_top: 'x' is not a number"));
  CHECK(contains(message_of(head + ",17,a\n"), "line 2, column length: the cell is empty"));
  CHECK(contains(message_of(head + "32,17\n"), "line 2: the row has 2 cells"));
  CHECK(contains(message_of(head + "32,17,a\n64,21,"), "line 3: the last line is cut off"));
  CHECK(contains(message_of(head + "32,17,a\n\n"), "line 3: the row has 1 cells"));
  CHECK(contains(message_of(head + "32,17,\"a\n"), "line 2: a quoted cell is never closed"));
  CHECK(contains(message_of(head + "32,17,\"a\nb\"\n64,21,\"a\"b\n"), "line 4: a quote or carriage return"));
  CHECK(contains(message_of(head + "32,17,a\"b\n"), "line 2: a quote or carriage return"));
}

TEST_CASE("a column that is not there is answered with the nearest") {
  const Table table(kColumns, "a.csv");
  CHECK_THROWS_WITH(table.numbers("lenght"), "a.csv: there is no column 'lenght' (the nearest is 'length')");
  CHECK_THROWS_AS(table.numbers("against"), Error);
  CHECK_THROWS_AS(table.texts("length"), Error);
}
