#include <omp.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "app/bundled.hpp"
#include "app/run.hpp"
#include "app/sweep/commands.hpp"
#include "catch.hpp"
#include "verify/sweep/record.hpp"

using headroom::app::test::content;
using headroom::app::test::exported;
using headroom::app::test::Outcome;
using headroom::app::test::replaced;
using headroom::app::test::run;
using headroom::app::test::run_sweep;
using headroom::app::test::TemporaryFolder;
using headroom::app::test::write_grid;
namespace fs = std::filesystem;

namespace {

const std::string small_grid = R"(
trials = 300
exclude = ["top >= length"]
[axes]
length = {scale = "powers-of-two", from = 4, to = 16}
top = [1, 2, 8]
normalizer = ["softmax", "entmax"]
[constants]
dim = 5
)";

std::size_t lines_of_cells(const std::string& folder) {
  std::size_t lines = 0;
  for (const fs::directory_entry& shard : fs::directory_iterator(folder + "/cells")) {
    const std::string text = content(shard.path());
    lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
  }
  return lines;
}

}  // namespace

TEST_CASE("a cell of a sweep has the bytes of the same cell simulated alone") {
  const TemporaryFolder folder;
  REQUIRE(run_sweep(folder, small_grid, "out").status == 0);
  const nlohmann::json alone = nlohmann::json::parse(run({"simulate", "--length", "16", "--dim", "5", "--top", "2,8",
                                                          "--trials", "300", "--normalizer", "entmax", "--json"})
                                                         .out);
  const std::string csv = exported(folder, "out");
  for (const char* top : {"2", "8"}) {
    const double mean = alone["top"][top]["separable"]["mean"];
    const std::string row = std::string("16,5,") + top + ",1,entmax,gaussian,0,,";
    const std::size_t at = csv.find(row);
    REQUIRE(at != std::string::npos);
    const std::size_t value = csv.find(",separable,300,", at) + std::string(",separable,300,").size();
    CHECK(std::stod(csv.substr(value)) == mean);
  }
}

TEST_CASE("a finished sweep is not computed again, more trials top it up and new values add to it") {
  const TemporaryFolder folder;
  REQUIRE(run_sweep(folder, small_grid, "out").status == 0);
  CHECK(lines_of_cells(folder / "out") == 6);
  REQUIRE(run_sweep(folder, small_grid, "out").status == 0);
  CHECK(lines_of_cells(folder / "out") == 6);

  const std::string more = replaced(small_grid, "trials = 300", "trials = 450");
  REQUIRE(run_sweep(folder, more, "out").status == 0);
  const std::string wider = replaced(replaced(more, "to = 16", "to = 32"), "[1, 2, 8]", "[1, 2, 3, 8]");
  REQUIRE(run_sweep(folder, wider, "out").status == 0);
  CHECK(lines_of_cells(folder / "out") == 6 + 6 + 2 + 6);
  REQUIRE(run_sweep(folder, wider, "once").status == 0);
  CHECK(exported(folder, "out") == exported(folder, "once"));
}

TEST_CASE("a change that finished cells do not survive is refused with the difference") {
  const TemporaryFolder folder;
  REQUIRE(run_sweep(folder, small_grid, "out").status == 0);
  const auto refused = [&](const std::string& what, const std::string& with, const std::string& said) {
    const Outcome outcome = run_sweep(folder, replaced(small_grid, what, with), "out");
    CAPTURE(outcome.err);
    CHECK(outcome.status == 3);
    CHECK_THAT(outcome.err, contains(said));
  };
  refused("trials = 300", "trials = 200", "trials was 300 and is 200");
  refused("trials = 300", "trials = 300\nseed = 2", "seed was 1 and is 2");
  refused("trials = 300", "trials = 300\nquantities = \"all\"", "quantities was cheap and is all");
  refused("dim = 5", "dim = 6", "dim loses 5; dim gains 6");
  refused("[1, 2, 8]", "[1, 2]", "top loses 8");
  refused(R"(exclude = ["top >= length"])", R"(exclude = ["top >= length", "top == 2"])", "exclude was");
}

TEST_CASE("shards computed apart and merged are the bytes of one run, and of any number of threads") {
  const TemporaryFolder folder;
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  REQUIRE(run_sweep(folder, small_grid, "one").status == 0);
  omp_set_num_threads(3);
  REQUIRE(run_sweep(folder, small_grid, "three").status == 0);
  omp_set_num_threads(before);
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    REQUIRE(run_sweep(folder, small_grid, std::string("part") + shard[0], {"--shard", shard}).status == 0);
    REQUIRE(run_sweep(folder, small_grid, "together", {"--shard", shard}).status == 0);
  }
  REQUIRE(run({"results", "merge", folder / "one", "-o", folder / "m1"}).status == 0);
  REQUIRE(run({"results", "merge", folder / "part3", folder / "part1", folder / "part2", "-o", folder / "m3"}).status ==
          0);
  CHECK(content(folder / "m1" + "/cells/merged.jsonl") == content(folder / "m3" + "/cells/merged.jsonl"));
  const std::string expected = exported(folder, "one");
  for (const char* other : {"three", "together", "m1", "m3"}) CHECK(exported(folder, other) == expected);
  CHECK(lines_of_cells(folder / "together") == 6);
}

TEST_CASE("sweeps under two seeds pool into one with all trials, which cannot be swept further") {
  const TemporaryFolder folder;
  REQUIRE(run_sweep(folder, small_grid, "a").status == 0);
  REQUIRE(run_sweep(folder, replaced(small_grid, "trials", "seed = 2\ntrials"), "b").status == 0);
  REQUIRE(run({"results", "merge", folder / "a", folder / "b", "-o", folder / "ab"}).status == 0);
  REQUIRE(run({"results", "merge", folder / "b", folder / "a", "-o", folder / "ba"}).status == 0);
  CHECK_THAT(exported(folder, "ab"), contains(",separable,600,"));
  CHECK(content(folder / "ab" + "/cells/merged.jsonl") == content(folder / "ba" + "/cells/merged.jsonl"));
  CHECK(run_sweep(folder, small_grid, "ab").status == 3);
  const Outcome same = run({"results", "diff", folder / "a", folder / "b"});
  CAPTURE(same.out);
  CHECK(same.status == 0);
}

TEST_CASE("diff tells cells that differ beyond their errors from those that differ by chance") {
  const TemporaryFolder folder;
  REQUIRE(run_sweep(folder, small_grid, "a").status == 0);
  REQUIRE(run_sweep(folder, replaced(small_grid, "trials", "seed = 2\ntrials"), "chance").status == 0);
  CHECK(run({"results", "diff", folder / "a", folder / "a"}).status == 0);
  CHECK(run({"results", "diff", folder / "a", folder / "chance"}).status == 0);
  const std::string elsewhere = replaced(small_grid, "dim = 5", "dim = 6");
  REQUIRE(run_sweep(folder, elsewhere, "elsewhere").status == 0);
  const Outcome nothing = run({"results", "diff", folder / "a", folder / "elsewhere"});
  CHECK(nothing.status == 3);
  CHECK_THAT(nothing.err, contains("no cell was computed in both"));
  // The same cells with one mean moved, the checks made anew.
  REQUIRE(run({"results", "merge", folder / "a", "-o", folder / "moved"}).status == 0);
  const std::string shard = folder / "moved" + "/cells/merged.jsonl";
  std::istringstream lines(content(shard));
  std::string moved;
  for (std::string line; std::getline(lines, line);) {
    auto record = headroom::verify::sweep::read_record(line);
    if (record) record->groups[0].values[0].second.mean *= 2;
    moved += record ? record_line(*record) : line + "\n";
  }
  std::ofstream(shard) << moved;
  const Outcome outcome = run({"results", "diff", folder / "a", folder / "moved"});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, contains("6 differ beyond their errors"));
}

TEST_CASE("a target stops each N at the first trial count where its error is small enough, whatever came before") {
  const TemporaryFolder folder;
  const std::string target = replaced(small_grid, "trials = 300",
                                      "trials = 20000\ntarget = {quantity = \"separable\", standard_error = 0.01}");
  REQUIRE(run_sweep(folder, target, "out").status == 0);
  const std::string csv = exported(folder, "out");
  CHECK_THAT(csv, contains(",separable,256,1,0,0,"));  // N = 1 has no spread
  CHECK(csv.find(",separable,20000,") == std::string::npos);
  // Loosely first, then tighter, gives the bytes of tighter at once.
  REQUIRE(run_sweep(folder, replaced(target, "0.01", "0.03"), "steps").status == 0);
  REQUIRE(run_sweep(folder, target, "steps").status == 0);
  CHECK(exported(folder, "steps") == csv);
  CHECK(run_sweep(folder, replaced(target, "0.01", "0.02"), "out").status == 3);
}

TEST_CASE("a cell that fails is on record, keeps the others going, and is tried again when asked") {
  const TemporaryFolder folder;
  // No 60 points in the plane keep this distance under random sequential adsorption.
  const std::string grid =
      "trials = 5\n[axes]\nseparation = [0.0, 0.10]\n[constants]\nlength = 60\ndim = 2\ntop = 3\nsampler = \"rsa\"\n";
  const Outcome first = run_sweep(folder, grid, "out");
  CAPTURE(first.err);
  CHECK(first.status == 3);
  CHECK_THAT(first.err, contains("1 of 2 cells failed"));
  CHECK_THAT(run({"results", "status", folder / "out"}).out, contains("1 done, 0 begun, 0 missing, 1 failed"));
  const Outcome again = run_sweep(folder, grid, "out");
  CHECK(again.status == 0);
  CHECK_THAT(again.err, contains("1 cell failed before and is left out"));
  CHECK(run_sweep(folder, grid, "out", {"--retry-failed"}).status == 3);
  const std::string status = run({"results", "status", folder / "out"}).out;
  CHECK(status.find("failed: ") == status.rfind("failed: "));
  // What fails has no estimate, and the rest has one.
  const Outcome dry = run_sweep(folder, grid, "dry", {"--dry-run"});
  CHECK(dry.status == 0);
  CHECK_THAT(dry.out, contains("2 missing"));
  CHECK(run_sweep(folder, grid, "fast", {"--fail-fast"}).status == 3);
}

TEST_CASE("results come out as SQLite with the values of the CSV") {
  const TemporaryFolder folder;
  REQUIRE(run_sweep(folder, small_grid, "out").status == 0);
  REQUIRE(run({"results", "export", folder / "out", "--to", folder / "out.sqlite"}).status == 0);
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open((folder / "out.sqlite").c_str(), &database) == SQLITE_OK);
  sqlite3_stmt* query = nullptr;
  const char* const text =
      "SELECT count(*), sum(count), max(standard_error) > 0 FROM results WHERE quantity = 'separable' AND top < 8";
  REQUIRE(sqlite3_prepare_v2(database, text, -1, &query, nullptr) == SQLITE_OK);
  REQUIRE(sqlite3_step(query) == SQLITE_ROW);
  CHECK(sqlite3_column_int(query, 0) == 12);
  CHECK(sqlite3_column_int(query, 1) == 12 * 300);
  CHECK(sqlite3_column_int(query, 2) == 1);
  sqlite3_finalize(query);
  sqlite3_close(database);
  CHECK(run({"results", "export", folder / "out", "--to", folder / "out.xls"}).status == 2);
}

TEST_CASE("a dry run lists the cells that are left, how many and how long, and writes nothing") {
  const TemporaryFolder folder;
  const Outcome outcome = run_sweep(folder, small_grid, "out", {"--dry-run"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, contains("length 16, normalizer entmax, top 1,2,8\n"));
  CHECK_THAT(outcome.out, contains("6 cells: 0 done, 0 begun, 6 missing, 0 failed"));
  CHECK_THAT(outcome.out, contains("about "));
  CHECK_FALSE(fs::exists(folder / "out"));
}

TEST_CASE("a grid that cannot be is refused with file, problem and remedy") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& what, const std::string& with, const std::string& said, int status = 3) {
    const Outcome outcome = run_sweep(folder, replaced(small_grid, what, with), "out");
    CAPTURE(what, with, outcome.err);
    CHECK(outcome.status == status);
    CHECK_THAT(outcome.err, contains("grid.toml"));
    CHECK_THAT(outcome.err, contains(said));
    CHECK_FALSE(fs::exists(folder / "out"));
  };
  refused("trials", "trails", "did you mean trials?");
  refused("length =", "lenght =", "did you mean length?");
  refused("dim = 5", "dimm = 5", "did you mean dim?");
  refused("\"entmax\"", "\"entmx\"", "entmax");
  refused("top >= length", "topp >= length", "did you mean top?");
  refused("powers-of-two", "powers-of-tow", "did you mean powers-of-two?");
  refused("dim = 5", "", "says no dim");
  refused("dim = 5", "dim = 5\ntop = 3", "both an axis and a constant");
  refused("dim = 5", "dim = 5.5", "whole number");
  refused("dim = 5", "dim = \"five\"", "no number");
  refused("dim = 5", "dim = 1", "at least 2");
  refused("[1, 2, 8]", "[]", "empty");
  refused("[1, 2, 8]", "[8, 1, 2, 8]", "top has 8 twice");
  refused("from = 4", "from = 40", "ends before it begins");
  refused("from = 4", "from = 0", "positive");
  refused("top >= length", "top >= 1", "'top >= 1' excludes 18");
  refused("exclude", "#", "does not leave both a selected and a non-selected token");
  refused("[\"softmax\", \"entmax\"]", "[\"entmax\", \"entmax:alpha=1.5\"]", "twice");
  refused("trials = 300", "trials = 300\nkind = \"simulat\"", "did you mean simulate?");
  refused("trials = 300", "trials = ", "line 2");
  refused("trials = 300", "trials = 300\ntarget = {quantity = \"separabel\", standard_error = 1}", "separable?");
  refused("[1, 2, 8]", "{from = 1, to = 8000000, count = 8000000}", "a million");
  refused("length = {scale = \"powers-of-two\", from = 4, to = 16}\ntop = [1, 2, 8]",
          "length = {from = 1, to = 3000, step = 1}\ntop = {from = 1, to = 2000, step = 1}", "--yes", 2);
  CHECK(run({"sweep", folder / "none.toml", "-o", folder / "out"}).status == 3);
}

TEST_CASE("shards, folders and options that make no sense are refused") {
  const TemporaryFolder folder;
  for (const char* shard : {"5/4", "0/4", "", "1", "1/", "/2", "1/0", "a/b", "1/2/3"}) {
    const Outcome outcome = run_sweep(folder, small_grid, "out", {"--shard", shard});
    CAPTURE(shard);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, contains("1/4"));
  }
  CHECK(run({"sweep", write_grid(folder, small_grid)}).status == 2);
  CHECK(run_sweep(folder, small_grid, "out", {"--fail-fast", "--keep-going"}).status == 2);
  CHECK(run({"results", "status", folder / "none"}).status == 3);
  CHECK(run({"results", "stauts", folder / "none"}).status == 2);
  CHECK_THAT(run({"results", "stauts", folder / "none"}).err, contains("did you mean status?"));
  CHECK_THAT(run({"results", "export", folder / "none", "--too", "a.csv"}).err, contains("did you mean --to?"));
  CHECK_THAT(run({"results", "export", "--to", "a.csv"}).err, contains("folders is required"));

  const auto other = [&](const std::string& record, const std::string& said) {
    fs::create_directories(folder / "other");
    std::ofstream(folder / "other" + "/run.json") << record;
    const Outcome outcome = run_sweep(folder, small_grid, "other");
    CAPTURE(outcome.err);
    CHECK(outcome.status == 3);
    CHECK_THAT(outcome.err, contains(said));
  };
  other(R"({"schema": "headroom.sweep/2"})", "headroom.sweep/2");
  other(R"({"schema": "headroom.reproduce/1"})", "headroom.reproduce/1");
  other("{", "belongs to something else");
  other(R"({"schema": 5})", "belongs to something else");
  fs::create_directories(folder / "foreign");
  std::ofstream(folder / "foreign" + "/thesis.tex") << "x";
  CHECK_THAT(run_sweep(folder, small_grid, "foreign").err, contains("thesis.tex"));
}

TEST_CASE("every grid in results/grids can be planned") {
  std::size_t grids = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(std::string(HEADROOM_SOURCE) + "/results/grids")) {
#ifdef HEADROOM_WITH_ONNX
    const bool possible = fs::exists(headroom::app::bundled_text());
#else
    const bool possible = false;
#endif
    if (!possible && content(entry.path()).find("kind = \"heads\"") != std::string::npos) continue;
    const Outcome outcome = run({"sweep", entry.path().string(), "--dry-run"});
    CAPTURE(entry.path().string(), outcome.err);
    CHECK(outcome.status == 0);
    ++grids;
  }
  CHECK(grids >= 4);
}
