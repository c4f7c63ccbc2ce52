#include "verify/sweep/record.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"

using namespace headroom::verify::sweep;  // NOLINT(google-build-using-namespace)

namespace {

Record sample() {
  Record record;
  record.of = "length=8;logits=file:a \"b\"\\;sampler=x";
  record.seed = 18446744073709551615U;
  record.trials = 12;
  record.groups = {{1, {{"mass", {12, 0.1, 1e-300}}, {"entropy", {12, -0.0, 5e-324}}}},
                   {4, {{"mass", {12, std::nextafter(1.0, 2.0), std::numeric_limits<double>::infinity()}}}}};
  return record;
}

std::string body(const Record& record) {
  std::string line = record_line(record);
  line.pop_back();
  return line;
}

}  // namespace

TEST_CASE("a record reads back bit for bit") {
  const Record record = sample();
  const std::string line = body(record);
  REQUIRE(line_is_sound(line));
  const auto back = read_record(line);
  REQUIRE(back);
  CHECK(record_line(*back) == record_line(record));
  CHECK(back->groups[1].values[0].second.mean == std::nextafter(1.0, 2.0));
  CHECK(std::signbit(back->groups[0].values[1].second.mean));
  RecordHead head;
  REQUIRE(read_head(line, head));
  CHECK(head.cell == record.cell());
  CHECK(head.groups == std::vector<std::uint64_t>{1, 4});
  CHECK_FALSE(head.failed);
}

TEST_CASE("a failure keeps its reason, whatever characters are in it") {
  Record record = sample();
  record.failure = "no \"luck\"\n\x01\xff";
  const std::string line = body(record);
  const auto back = read_record(line);
  REQUIRE(back);
  CHECK_THAT(back->failure, contains("no \"luck\"\n"));
  RecordHead head;
  REQUIRE(read_head(line, head));
  CHECK(head.failed);
}

TEST_CASE("no flipped bit and no shortened line passes the check") {
  const std::string line = body(sample());
  for (std::size_t byte = 0; byte < line.size(); ++byte) {
    CHECK_FALSE(line_is_sound(std::string_view(line).substr(0, byte)));
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = line;
      flipped[byte] = static_cast<char>(flipped[byte] ^ (1 << bit));
      CHECK_FALSE(line_is_sound(flipped));
    }
  }
}
