#include "app/command_folder.hpp"

#include <fstream>
#include <string>
#include <vector>

#include "app/run.hpp"
#include "catch.hpp"

using headroom::app::create_command_folder;
using headroom::app::test::content;
using headroom::app::test::entries;
using headroom::app::test::Outcome;
using headroom::app::test::run;
using headroom::app::test::TemporaryFolder;
using headroom::app::test::operator/;

TEST_CASE("a folder with another command's results is refused untouched, the same command may write into it again") {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const Outcome first = run({"frontier", "--normalizers", "softmax", "-o", out});
  INFO(first.err);
  REQUIRE(first.status == 0);
  const std::string record_file = folder / "out/run.json";
  const std::string record = content(record_file);
  const std::vector<std::vector<std::string>> others = {{"verify", "--claims", "cor3"},
#ifdef HEADROOM_WITH_ONNX
                                                        {"reproduce", "--text", record_file},
                                                        {"diagnose"},
                                                        {"compare"}
#endif
  };
  for (std::vector<std::string> other : others) {
    other.insert(other.end(), {"-o", out});
    const Outcome refused = run(other);
    CHECK(refused.status == 3);
    CHECK_THAT(refused.err, contains("the folder belongs to something else, headroom.frontier_run/1") &&
                                contains("name another folder with -o, or remove this one"));
  }
  CHECK(content(record_file) == record);
  CHECK(entries(out) == 5);
  CHECK(run({"frontier", "--normalizers", "sparsemax", "-o", out}).status == 0);
  CHECK(content(record_file) != record);
  CHECK_NOTHROW(create_command_folder(out, "headroom.frontier_run/2"));
  std::ofstream(record_file) << "{";
  CHECK_THROWS_WITH(create_command_folder(out, "headroom.frontier_run/1"), contains("belongs to something else ("));
}
