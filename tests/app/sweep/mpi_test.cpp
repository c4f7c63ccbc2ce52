#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
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

std::vector<std::string> sweep(const TemporaryFolder& folder, const std::string& out, int ranks,
                               const std::string& grid = short_grid) {
  if (!fs::exists(folder / "grid.toml")) std::ofstream(folder / "grid.toml") << grid;
  std::vector<std::string> command = {"env", "OMP_NUM_THREADS=1"};
  if (ranks > 0) {
    for (const char* word : {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "mpirun",
                             "--oversubscribe", "--bind-to", "none", "-np"}) {
      command.emplace_back(word);
    }
    command.push_back(std::to_string(ranks));
  }
  command.insert(command.end(),
                 {HEADROOM_PROGRAM, "sweep", folder / "grid.toml", "-o", folder / out, "--rank-timeout", "1"});
  return command;
}

// The process of a rank of the job that computes `out`; 0 when there is none.
pid_t rank_of(const TemporaryFolder& folder, const std::string& out, std::uint64_t rank) {
  const std::string variable = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0';
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string line = content(entry.path() / "cmdline");
    if (!line.starts_with(HEADROOM_PROGRAM) || line.find(folder / out + '\0') == std::string::npos) continue;
    if (content(entry.path() / "environ").find(variable) != std::string::npos) return std::stoi(name);
  }
  return 0;
}

// Until every rank has saved a cell; the process of one of them.
pid_t rank_at_work(const TemporaryFolder& folder, const std::string& out, std::ptrdiff_t ranks, std::uint64_t rank) {
  for (int k = 0; k < 3000; ++k) {
    std::error_code error;
    const fs::directory_iterator shards(folder / out + "/cells", error);
    if (!error && std::distance(begin(shards), end(shards)) == ranks) break;
    std::this_thread::sleep_for(Milliseconds(10));
  }
  return rank_of(folder, out, rank);
}

// About five seconds of one core.
const std::string longer_grid = std::string(short_grid).replace(short_grid.find("60"), 2, "300");

}  // namespace

TEST_CASE("one, three and four ranks give the bytes of a process by itself, with a shard for each", "[slow]") {
  const TemporaryFolder folder;
  REQUIRE(Process(sweep(folder, "alone", 0), folder / "log").wait() == 0);
  const std::string expected = exported(folder, "alone");
  for (const int ranks : {1, 3, 4}) {
    const std::string out = "ranks" + std::to_string(ranks);
    const int status = Process(sweep(folder, out, ranks), folder / "log").wait();
    CAPTURE(ranks, content(folder / "log"));
    REQUIRE(status == 0);
    CHECK(exported(folder, out) == expected);
    const fs::directory_iterator shards(folder / out + "/cells");
    CHECK(std::distance(begin(shards), end(shards)) == ranks);
    CHECK_THAT(content(folder / "log"), contains("102 cells computed"));
  }
}

TEST_CASE("after a rank was killed at 50 random moments, whichever it was, a later run ends in the same bytes",
          "[slow]") {
  const TemporaryFolder folder;
  REQUIRE(Process(sweep(folder, "alone", 0), folder / "log").wait() == 0);
  in_parallel(5, [&](std::uint64_t lane) {
    const std::string out = "killed" + std::to_string(lane);
    headroom::sim::Stream random(11, 1, lane);
    for (int k = 0; k < 10; ++k) {
      Process job(sweep(folder, out, 2), folder / (out + ".log"));
      std::this_thread::sleep_for(Milliseconds(300 + random.below(600)));
      if (const pid_t rank = rank_of(folder, out, random.below(2)); rank != 0) ::kill(rank, SIGKILL);
      // mpirun may wait for ever for a rank that was killed while it started; then the whole job is killed.
      if (job.wait_or_kill(std::chrono::seconds(10)) < 128) continue;
      for (const std::uint64_t left : {0U, 1U}) {
        if (const pid_t rank = rank_of(folder, out, left); rank != 0) ::kill(rank, SIGKILL);
      }
    }
    Process(sweep(folder, out, 2), folder / (out + ".log")).wait();
  });
  const std::string expected = exported(folder, "alone");
  for (int lane = 0; lane < 5; ++lane) {
    CAPTURE(lane, content(folder / ("killed" + std::to_string(lane) + ".log")));
    CHECK(exported(folder, "killed" + std::to_string(lane)) == expected);
  }
}

TEST_CASE("the cells of a rank that falls silent without dying are computed by the others", "[slow]") {
  const TemporaryFolder folder;
  REQUIRE(Process(sweep(folder, "alone", 0, longer_grid), folder / "log").wait() == 0);
  Process job(sweep(folder, "silent", 3), folder / "log");
  const pid_t rank = rank_at_work(folder, "silent", 3, 1);
  REQUIRE(rank != 0);
  ::kill(rank, SIGSTOP);
  job.wait();
  CAPTURE(content(folder / "log"));
  CHECK_THAT(content(folder / "log"), contains("rank 1 has been silent for 1.0 s and is taken for dead"));
  CHECK_THAT(content(folder / "log"), contains("102 cells computed"));
  CHECK(exported(folder, "silent") == exported(folder, "alone"));
}

TEST_CASE("when rank 0 falls silent the others save what they have and end, and a later run does the rest", "[slow]") {
  const TemporaryFolder folder;
  REQUIRE(Process(sweep(folder, "alone", 0, longer_grid), folder / "log").wait() == 0);
  Process job(sweep(folder, "silent", 2), folder / "log");
  const pid_t rank = rank_at_work(folder, "silent", 2, 0);
  REQUIRE(rank != 0);
  ::kill(rank, SIGSTOP);
  CHECK(job.wait() == 3);
  CHECK_THAT(content(folder / "log"), contains("rank 0 is gone"));
  REQUIRE(Process(sweep(folder, "silent", 0), folder / "log").wait() == 0);
  CHECK(exported(folder, "silent") == exported(folder, "alone"));
}
