#include "verify/sweep/lock.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/temporary_folder.hpp"
#include "catch.hpp"

using namespace headroom::verify::sweep;  // NOLINT(google-build-using-namespace)
using headroom::app::test::content;
using headroom::app::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

// As a process on another machine leaves it, who last renewed it so long ago. Its flock does not reach this one.
void write_foreign(const fs::path& lock, std::chrono::seconds ago) {
  std::ofstream(lock) << R"({"host":"elsewhere","pid":7,"started":"2026-01-01T00:00:00Z",)"
                      << R"("identity":"boot-of-elsewhere pid:[1]","start_ticks":1,"progress":"3 of 9 cells"})" << '\n';
  fs::last_write_time(lock, fs::file_time_type::clock::now() - ago);
}

}  // namespace

TEST_CASE("a lock of another host holds while it is renewed and is taken over after its silence") {
  const TemporaryFolder folder;
  const fs::path lock = folder.path() / "lock";
  for (const std::chrono::seconds ago : {std::chrono::seconds(0), FolderLock::silence - std::chrono::seconds(20)}) {
    write_foreign(lock, ago);
    CHECK_THROWS_WITH(FolderLock(folder.path(), {}), contains("process 7 on elsewhere"));
    CHECK_THROWS_WITH(FolderLock(folder.path(), {1, 2}), contains("process 7 on elsewhere"));
    const std::vector<Holder> holders = FolderLock::holders(folder.path());
    REQUIRE(holders.size() == 1);
    CHECK(holders[0].alive);
    CHECK(holders[0].progress == "3 of 9 cells");
  }
  write_foreign(lock, FolderLock::silence + std::chrono::seconds(20));
  CHECK_FALSE(FolderLock::holders(folder.path()).at(0).alive);
  {
    const FolderLock taken(folder.path(), {});
    CHECK_THAT(taken.stale(), contains("process 7 on elsewhere"));
    CHECK(content(lock).find("elsewhere") == std::string::npos);
    CHECK(FolderLock::holders(folder.path()).at(0).alive);
  }
  CHECK(content(lock).empty());
  CHECK(FolderLock(folder.path(), {}).stale().empty());
}

TEST_CASE("a lock file that says what no lock says keeps others out until its silence, like a foreign one") {
  const TemporaryFolder folder;
  const fs::path lock = folder.path() / "lock";
  std::ofstream(lock) << R"({"host":7,"pid":"x","started":[],"identity":{},"start_ticks":-1,"progress":null})";
  CHECK_THROWS_WITH(FolderLock(folder.path(), {}), contains("another process"));
  CHECK(FolderLock::holders(folder.path()).at(0).host == "?");
  fs::last_write_time(lock, fs::file_time_type::clock::now() - FolderLock::silence - std::chrono::seconds(20));
  CHECK_NOTHROW(FolderLock(folder.path(), {}));
}

TEST_CASE("the lock of a shard of another host keeps the whole out, and other shards in") {
  const TemporaryFolder folder;
  write_foreign(folder.path() / "lock-1-of-2", std::chrono::seconds(5));
  CHECK_THROWS_WITH(FolderLock(folder.path(), {}), contains("elsewhere"));
  CHECK_THROWS_WITH(FolderLock(folder.path(), {1, 2}), contains("elsewhere"));
  CHECK_THROWS_WITH(FolderLock(folder.path(), {1, 3}), contains("elsewhere"));
  CHECK(FolderLock(folder.path(), {2, 2}).stale().empty());
  write_foreign(folder.path() / "lock-1-of-2", FolderLock::silence + std::chrono::seconds(20));
  CHECK(FolderLock(folder.path(), {}).stale().empty());
}
