#include "verify/sweep/shard.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/temporary_folder.hpp"
#include "catch.hpp"
#include "core/error.hpp"
#include "verify/sweep/index.hpp"

using namespace headroom::verify::sweep;  // NOLINT(google-build-using-namespace)
using headroom::app::test::content;
using headroom::app::test::TemporaryFolder;

namespace {

Record record_of(int k, std::uint64_t trials) {
  Record record;
  record.of = "cell=" + std::to_string(k);
  record.seed = 1;
  record.trials = trials;
  record.groups = {{2, {{"mass", {trials, 0.25 * k, 1.5}}}}};
  return record;
}

void write(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("a shard cut at any byte of its last record loses that record alone, and says so") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "a.jsonl";
  {
    ShardWriter writer(file, "\"host\":\"here\"");
    for (int k = 0; k < 3; ++k) writer.append(record_line(record_of(k, 10)));
  }
  const std::string whole = content(file);
  const std::size_t last = record_line(record_of(2, 10)).size();
  for (std::size_t cut = 0; cut <= last; ++cut) {
    write(file, whole.substr(0, whole.size() - cut));
    const Index index(folder.path());
    CHECK(index.entries().size() == (cut == 0 ? 3 : 2));
    CHECK(index.damages().size() == (cut == 0 || cut == last ? 0 : 1));
    CHECK(index.find(record_of(1, 10).cell(), 1, 2)->trials == 10);
  }
}

TEST_CASE("a flipped bit anywhere costs the lines it touches and is reported") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "a.jsonl";
  {
    ShardWriter writer(file, "");
    for (int k = 0; k < 3; ++k) writer.append(record_line(record_of(k, 10)));
  }
  const std::string whole = content(file);
  const std::size_t begin = whole.find('\n') + 1;
  for (std::size_t byte = begin; byte < whole.size(); byte += 5) {
    std::string flipped = whole;
    flipped[byte] = static_cast<char>(flipped[byte] ^ (1 << (byte % 8)));
    write(file, flipped);
    const Index index(folder.path());
    CHECK(index.damages().size() == 1);
    CHECK(index.entries().size() >= 1);
    CHECK(index.entries().size() <= 2);
    for (const IndexEntry& entry : index.entries()) {
      const Record record = index.read(entry);
      const int k = record.of.back() - '0';
      CHECK(record_line(record) == record_line(record_of(k, 10)));
    }
  }
}

TEST_CASE("of two records of a cell the one with more trials counts, and a failure only until it is overcome") {
  const TemporaryFolder folder;
  Record failure = record_of(0, 20);
  failure.failure = "out of luck";
  {
    ShardWriter writer(folder.path() / "a.jsonl", "");
    writer.append(record_line(record_of(0, 20)));
    writer.append(record_line(failure));
  }
  const std::uint64_t cell = record_of(0, 20).cell();
  {
    const Index index(folder.path());
    CHECK(index.find(cell, 1, 2)->failed);
    CHECK(index.find(cell, 1, 2)->trials == 20);
    CHECK(index.failures().size() == 1);
  }
  {
    ShardWriter writer(folder.path() / "b.jsonl", "");
    writer.append(record_line(record_of(0, 30)));
    writer.append(record_line(record_of(0, 10)));
  }
  const Index index(folder.path(), "mass");
  CHECK_FALSE(index.find(cell, 1, 2)->failed);
  CHECK(index.failures().empty());
  CHECK(index.find(cell, 1, 2)->trials == 30);
  CHECK(index.find(cell, 1, 2)->standard_error == record_of(0, 30).groups[0].values[0].second.standard_error());
  CHECK(index.find(cell, 2, 2) == nullptr);
  CHECK(index.find(cell, 1, 3) == nullptr);
}

TEST_CASE("a shard of a later schema is refused by name") {
  const TemporaryFolder folder;
  write(folder.path() / "a.jsonl", checked_line("\"shard\":\"headroom.shard/2\""));
  CHECK_THROWS_WITH(Index(folder.path()), contains("headroom.shard/2"));
}

TEST_CASE("lines longer than the reader's buffer are read whole") {
  const TemporaryFolder folder;
  Record record = record_of(0, 5);
  record.of += std::string(3 << 20, 'x');
  {
    ShardWriter writer(folder.path() / "a.jsonl", "");
    writer.append(record_line(record_of(1, 5)));
    writer.append(record_line(record));
    writer.append(record_line(record_of(2, 5)));
  }
  const Index index(folder.path());
  REQUIRE(index.entries().size() == 3);
  CHECK(index.read(*index.find(record.cell(), 1, 2)).of == record.of);
}
