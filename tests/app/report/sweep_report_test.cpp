// Reports of sweeps, from folders that the command wrote.
#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "app/output.hpp"
#include "app/report/document.hpp"
#include "app/report/swept_grid.hpp"
#include "app/run.hpp"
#include "catch.hpp"
#include "verify/sweep/record.hpp"

using namespace headroom::app;
using namespace headroom::app::test;
namespace fs = std::filesystem;
namespace sweep = headroom::verify::sweep;

namespace {

const std::string small_grid = R"(
trials = 20
exclude = ["top >= length"]
[axes]
length = [4, 8]
top = [1, 2, 4]
normalizer = ["softmax", "entmax:alpha=1.5"]
[constants]
dim = 5
)";

void run_sweep(const TemporaryFolder& folder, const std::string& out, const std::vector<std::string>& more = {},
               const std::string& grid = small_grid) {
  write_file(folder / "grid.toml", grid);
  std::vector<std::string> words = {"sweep", folder / "grid.toml", "-o", folder / out};
  words.insert(words.end(), more.begin(), more.end());
  REQUIRE(run(words).status == 0);
}

Json section_of(const std::string& folder) {
  std::vector<std::string> warnings;
  return report_document({folder}, warnings)["sections"][0];
}

std::string missing(const Json& section) { return section["missing"].dump(); }

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

fs::path shard_in(const std::string& folder) { return fs::directory_iterator(folder + "/cells")->path(); }

}  // namespace

TEST_CASE("a sweep is reported with the values that results export gives, texts as axes too") {
  const TemporaryFolder folder;
  run_sweep(folder, "out");
  const Json section = section_of(folder / "out");
  CHECK(section["kind"] == "sweep");
  CHECK(section["missing"].empty());
  CHECK(section["axes"] == Json({"length", "top", "normalizer"}));
  CHECK(section["constants"].value("dim", "") == "5");
  CHECK(section["short"] == Json{{"entmax:alpha=1.5", "entmax"}});
  const Json& table = section["tables"]["cells"];
  REQUIRE(table["rows"] == 2 * (2 + 3));
  const auto column = [&](const std::string& name) {
    const std::vector<std::string> names = table["columns"];
    return table["data"][static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
  };
  REQUIRE(run({"results", "export", folder / "out", "--to", folder / "out.csv"}).status == 0);
  std::map<std::string, std::string> exported;
  std::istringstream lines(content(folder / "out.csv"));
  std::string header;
  std::getline(lines, header);
  CHECK(header ==
        "length,dim,top,temperature,normalizer,logits,separation,sampler,cell,quantity,count,mean,"
        "standard_error,squared_deviations,text");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    exported[cells[0] + "," + cells[2] + "," + cells[4] + "," + cells[9]] = cells[11] + "," + cells[12];
  }
  for (std::size_t row = 0; row < table["rows"]; ++row) {
    const auto& normalizer = column("normalizer");
    const std::string key = std::to_string(column("length")[row].get<int>()) + "," +
                            std::to_string(column("top")[row].get<int>()) + "," +
                            normalizer["texts"][normalizer["at"][row].get<std::size_t>()].get<std::string>();
    for (const std::string quantity : section["quantities"]) {
      CAPTURE(key, quantity);
      const std::string& both = exported.at(key + "," + quantity);
      CHECK(column(quantity)[row].get<double>() == std::stod(both));
      CHECK(column(quantity + "_se")[row].get<double>() == std::stod(both.substr(both.find(',') + 1)));
    }
    CHECK(column("trials")[row] == 20);
  }
}

TEST_CASE("of a sweep the shards that are not there are named, and the cells of the others shown") {
  const TemporaryFolder folder;
  run_sweep(folder, "part", {"--shard", "2/3"});
  const Json section = section_of(folder / "part");
  CHECK(mentions(missing(section), "cells"));
  CHECK(mentions(missing(section), "no file of 1 of 3, 3 of 3"));
  CHECK(section["counts"]["done"] == 1);
  CHECK(section["tables"]["cells"]["rows"] > 0);
}

TEST_CASE("a torn line of a shard is named with its file, and costs its own cell alone") {
  const TemporaryFolder folder;
  run_sweep(folder, "torn");
  const fs::path shard = shard_in(folder / "torn");
  const std::string whole = content(shard);
  write_file(shard, whole.substr(0, whole.size() - 9));
  const Json section = section_of(folder / "torn");
  CHECK(mentions(missing(section), shard.filename().string()));
  CHECK(mentions(missing(section), "cut off"));
  CHECK(section["counts"]["missing"] == 1);
  CHECK(section["counts"]["done"] == 3);
}

TEST_CASE("a sweep without its grid, its record or its shards says so and shows what there is") {
  const TemporaryFolder folder;
  run_sweep(folder, "grid");
  fs::remove(folder / "grid/grid.toml");
  const Json without_grid = section_of(folder / "grid");
  CHECK(mentions(missing(without_grid), "grid.toml"));
  CHECK(without_grid["tables"]["records"]["rows"] > 0);
  run_sweep(folder, "record");
  fs::remove(folder / "record/run.json");
  const Json without_record = section_of(folder / "record");
  CHECK(mentions(missing(without_record), "run.json"));
  CHECK(without_record["tables"]["cells"]["rows"] == 10);
  run_sweep(folder, "shards");
  fs::remove_all(folder / "shards/cells");
  CHECK(mentions(missing(section_of(folder / "shards")), "cells/"));
}

TEST_CASE("a sweep or a shard of a newer schema is refused") {
  const TemporaryFolder folder;
  run_sweep(folder, "sweep");
  std::string record = content(folder / "sweep/run.json");
  record.replace(record.find("headroom.sweep/1"), 16, "headroom.sweep/2");
  write_file(folder / "sweep/run.json", record);
  const Outcome sweep_outcome = run({"report", folder / "sweep", "--figures", folder / "f"});
  CHECK(sweep_outcome.status == 3);
  CHECK(mentions(sweep_outcome.err, "headroom.sweep/2 is newer"));
  run_sweep(folder, "shard");
  write_file(folder / "shard/cells/z.jsonl", sweep::checked_line(R"("shard":"headroom.shard/2")"));
  const Outcome shard_outcome = run({"report", folder / "shard", "--figures", folder / "f"});
  CHECK(shard_outcome.status == 3);
  CHECK(mentions(shard_outcome.err, "headroom.shard/2"));
}

TEST_CASE("every quantity of a sweep is a figure for a paper's column") {
  const TemporaryFolder folder;
  run_sweep(folder, "out");
  const Outcome outcome = run({"report", folder / "out", "--figures", folder / "figures"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(fs::exists(folder / "figures/sweep-separable.svg"));
  CHECK(fs::exists(folder / "figures/sweep-entropy.pdf"));
  CHECK(entries(folder / "figures") == 2 * section_of(folder / "out")["quantities"].size());
  CHECK(mentions(content(folder / "figures/sweep-mass.svg"), "dim = 5"));
}

TEST_CASE("a sweep that is too large for a page is thinned to whole lines of its grid, with a note") {
  const TemporaryFolder folder;
  run_sweep(folder, "large", {}, R"(
trials = 2
[axes]
length = {scale = "linear", from = 3, to = 22, step = 1}
temperature = {scale = "log", from = 0.01, to = 100, count = 20}
dim = [2, 3]
normalizer = ["softmax", "sparsemax"]
[constants]
top = 2
)");
  ResultFolder results(folder / "large");
  const auto grid = swept_grid(results, 11000);
  REQUIRE(grid);
  CHECK(grid->counts.done == 1600);
  CHECK(results.missing().empty());
  CHECK(grid->table.rows() == 11 * 11 * 2 * 2);
  const std::string note = "the sweep is too large for a page: 11 of its 20 values of ";
  CHECK(results.notes() == std::vector<std::string>{note + "length are shown, the folder has all",
                                                    note + "temperature are shown, the folder has all"});
  const std::vector<double> length = grid->table.numbers("length");
  CHECK(*std::max_element(length.begin(), length.end()) == 22);
}
