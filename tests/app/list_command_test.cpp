#include <cstdlib>
#include <string>

#include "app/run.hpp"
#include "catch.hpp"
#include "sim/vector_target.hpp"

using namespace headroom::app;  // NOLINT(google-build-using-namespace)
using test::content;
using test::Outcome;
using test::run;
using test::TemporaryFolder;

namespace {

Outcome list_targets_with(const std::string& forced) {
  setenv("HEADROOM_TARGET", forced.c_str(), 1);
  Outcome outcome = run({"list", "targets"});
  unsetenv("HEADROOM_TARGET");
  return outcome;
}

}  // namespace

TEST_CASE("HEADROOM_TARGET forces each vector target of this machine, and the program says which it uses") {
  for (const std::string& name : headroom::sim::vector_targets()) {
    const Outcome outcome = list_targets_with(name);
    CHECK(outcome.status == 0);
    CHECK(outcome.out == name + " (in use)\n");
    CHECK(headroom::sim::vector_target() == name);
  }
}

TEST_CASE("a reader that closes standard output ends the program without a message, a full disk with one") {
  const TemporaryFolder folder;
  const auto status_with = [&](const std::string& before, const std::string& output) {
    const std::string command =
        "{ " + before + "'" HEADROOM_PROGRAM "' list claims; echo $? > status; } 2> log " + output;
    REQUIRE(std::system(("cd '" + folder.path().string() + "' && " + command).c_str()) == 0);
    return content(folder / "status");
  };
  // The program begins once the pipe's other end is closed.
  REQUIRE(std::system(("mkfifo '" + folder / "gate" + "'").c_str()) == 0);
  CHECK(status_with("read line < gate; ", "| { exec 0<&-; echo > gate; }") == "141\n");
  CHECK(content(folder / "log").empty());
  CHECK(status_with("", "> /dev/full") == "3\n");
  CHECK_THAT(content(folder / "log"), contains("No space left on device"));
}

TEST_CASE("a HEADROOM_TARGET that is not there is wrong usage, and the message has those that are") {
  const Outcome outcome = list_targets_with("AVX5");
  CHECK(outcome.status == 2);
  for (const std::string& name : headroom::sim::vector_targets()) CHECK_THAT(outcome.err, contains(name));
  CHECK_THAT(outcome.err, contains("HEADROOM_TARGET") && contains("AVX5"));
}
