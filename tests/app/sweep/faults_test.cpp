#include <sys/mount.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "app/run.hpp"
#include "app/sweep/commands.hpp"
#include "app/sweep/process.hpp"
#include "catch.hpp"
#include "sim/random.hpp"

using headroom::app::test::content;
using headroom::app::test::exported;
using headroom::app::test::in_parallel;
using headroom::app::test::Outcome;
using headroom::app::test::Process;
using headroom::app::test::run;
using headroom::app::test::short_grid;
using headroom::app::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

using Milliseconds = std::chrono::milliseconds;

// Takes minutes, so that signals find it at work.
const std::string long_grid = "trials = 100000000\n[constants]\nlength = 64\ndim = 16\ntop = 4\n";

std::vector<std::string> sweep(const TemporaryFolder& folder, const std::string& text, const std::string& out) {
  const std::string file = folder / "grid.toml";
  if (!fs::exists(file)) std::ofstream(file) << text;
  return {HEADROOM_PROGRAM, "sweep", file, "-o", folder / out};
}

int finish(const std::vector<std::string>& command, const TemporaryFolder& folder) {
  return Process(command, folder / "log").wait();
}

// Until the process has begun to work: its lock has its text.
bool wait_for_text(const fs::path& file) {
  for (int k = 0; k < 3000; ++k) {
    std::error_code error;
    if (fs::file_size(file, error) > 0 && !error) return true;
    std::this_thread::sleep_for(Milliseconds(10));
  }
  return false;
}

}  // namespace

TEST_CASE("sweeps killed at 50 random moments end in the bytes of one that was not", "[slow]") {
  const TemporaryFolder folder;
  REQUIRE(finish(sweep(folder, short_grid, "whole"), folder) == 0);
  const std::string expected = exported(folder, "whole");
  in_parallel(5, [&](std::uint64_t lane) {
    const std::string out = "killed" + std::to_string(lane);
    const std::vector<std::string> command = sweep(folder, short_grid, out);
    headroom::sim::Stream random(7, 1, lane);
    for (int k = 0; k < 10; ++k) {
      Process process(command, folder / (out + ".log"));
      std::this_thread::sleep_for(Milliseconds(random.below(200)));
      process.signal(SIGKILL);
      process.wait();
    }
    Process(command, folder / (out + ".log")).wait();
  });
  for (int lane = 0; lane < 5; ++lane) {
    CAPTURE(lane, content(folder / ("killed" + std::to_string(lane) + ".log")));
    CHECK(exported(folder, "killed" + std::to_string(lane)) == expected);
  }
  CHECK(run({"results", "diff", folder / "whole", folder / "killed0"}).status == 0);
}

TEST_CASE("Ctrl-C and SIGTERM end a sweep with status 130 and what was finished of a cell") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    std::string status;
    // Longer each time, until some trials are finished before the signal.
    for (Milliseconds patience(300); patience < Milliseconds(30000); patience *= 3) {
      const std::string out = "after" + std::to_string(patience.count());
      Process process(sweep(folder, long_grid, out), folder / "log");
      REQUIRE(wait_for_text(folder.path() / out / "run.json"));
      std::this_thread::sleep_for(patience);
      process.signal(signal);
      REQUIRE(process.wait() == 130);
      CHECK_THAT(content(folder / "log"), contains("interrupted; 0 cells were finished"));
      status = run({"results", "status", folder / out}).out;
      if (status.find("1 begun") != std::string::npos) break;
    }
    CHECK_THAT(status, contains("1 begun"));
  }
}

TEST_CASE("a second writer is refused and told who is at work, and the lock of a killed one is taken over") {
  const TemporaryFolder folder;
  const std::vector<std::string> command = sweep(folder, long_grid, "out");
  Process first(command, folder / "first");
  REQUIRE(wait_for_text(folder.path() / "out" / "run.json"));
  CHECK(finish(command, folder) == 3);
  CHECK_THAT(content(folder / "log"), contains("process " + std::to_string(first.pid()) + " on "));
  CHECK_THAT(run({"results", "status", folder / "out"}).out, contains("running: process"));
  std::vector<std::string> shard = command;
  shard.insert(shard.end(), {"--shard", "1/2"});
  CHECK(finish(shard, folder) == 3);
  first.signal(SIGKILL);
  first.wait();
  CHECK_THAT(run({"results", "status", folder / "out"}).out, contains("ended early: process"));
  Process second(command, folder / "second");
  REQUIRE(wait_for_text(folder.path() / "second"));
  second.signal(SIGTERM);
  CHECK(second.wait() == 130);
  CHECK_THAT(content(folder / "second"), contains("ended without releasing its lock"));
}

TEST_CASE("a full disk and a read-only one stop a sweep with a clear message and lose nothing") {
  const TemporaryFolder folder;
  const std::string disk = folder / "disk";
  fs::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=128k") != 0) return;  // needs the rights of root
  std::ofstream(folder / "grid.toml") << short_grid;
  const std::vector<std::string> command = {HEADROOM_PROGRAM, "sweep", folder / "grid.toml", "-o", disk + "/out"};
  CHECK(finish(command, folder) == 3);
  CHECK_THAT(content(folder / "log"), contains("No space left on device"));
  mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=4m");
  CHECK(finish(command, folder) == 3);
  CHECK_THAT(content(folder / "log"), contains("Read-only file system"));
  mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=4m");
  CHECK(finish(command, folder) == 0);
  const Outcome outcome = run({"results", "export", disk + "/out", "--to", folder / "disk.csv"});
  CHECK(outcome.status == 0);
  umount(disk.c_str());
  REQUIRE(finish({HEADROOM_PROGRAM, "sweep", folder / "grid.toml", "-o", folder / "whole"}, folder) == 0);
  CHECK(content(folder / "disk.csv") == exported(folder, "whole"));
}
