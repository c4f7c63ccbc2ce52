#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "app/run.hpp"
#include "app/sweep/process.hpp"
#include "catch.hpp"
#include "sim/random.hpp"

using headroom::app::test::content;
using headroom::app::test::Outcome;
using headroom::app::test::Process;
using headroom::app::test::run;
using headroom::app::test::short_grid;
using headroom::app::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> sweep(const TemporaryFolder& folder, const std::string& out, int ranks) {
  std::ofstream(folder / "grid.toml") << short_grid;
  std::vector<std::string> command = {"env", "OMP_NUM_THREADS=1"};
  if (ranks > 0) {
    for (const char* word : {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "mpirun",
                             "--oversubscribe", "--bind-to", "none", "-np"}) {
      command.emplace_back(word);
    }
    command.push_back(std::to_string(ranks));
  }
  command.insert(command.end(), {HEADROOM_PROGRAM, "sweep", folder / "grid.toml", "-o", folder / out});
  return command;
}

std::string exported(const TemporaryFolder& folder, const std::string& out) {
  const Outcome outcome = run({"results", "export", folder / out, "--to", folder / (out + ".csv")});
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
  return content(folder / (out + ".csv"));
}

// A process of the job whose command line names this folder; the launcher's own excepted.
pid_t some_rank(const TemporaryFolder& folder, std::uint64_t choice) {
  std::vector<pid_t> ranks;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string line = content(entry.path() / "cmdline");
    if (line.starts_with(HEADROOM_PROGRAM) && line.find(folder.path().string()) != std::string::npos) {
      ranks.push_back(std::stoi(name));
    }
  }
  return ranks.empty() ? 0 : ranks[choice % ranks.size()];
}

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

TEST_CASE("after a rank was killed at random moments, whichever it was, a later run ends in the same bytes", "[slow]") {
  const TemporaryFolder folder;
  REQUIRE(Process(sweep(folder, "alone", 0), folder / "log").wait() == 0);
  headroom::sim::Stream random(11, 1, 0);
  for (int k = 0; k < 12; ++k) {
    Process job(sweep(folder, "killed", 3), folder / "log");
    std::this_thread::sleep_for(std::chrono::milliseconds(300 + random.below(400)));
    if (const pid_t rank = some_rank(folder, random.below(3)); rank != 0) ::kill(rank, SIGKILL);
    job.wait();
  }
  const int status = Process(sweep(folder, "killed", 2), folder / "log").wait();
  CAPTURE(content(folder / "log"));
  REQUIRE(status == 0);
  CHECK(exported(folder, "killed") == exported(folder, "alone"));
}
