#include <omp.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "app/run.hpp"
#include "app/sweep/commands.hpp"
#include "catch.hpp"

using headroom::app::test::content;
using headroom::app::test::exported;
using headroom::app::test::Outcome;
using headroom::app::test::replaced;
using headroom::app::test::run;
using headroom::app::test::run_sweep;
using headroom::app::test::TemporaryFolder;
using headroom::app::test::write_array;
namespace fs = std::filesystem;

namespace {

void refused(const TemporaryFolder& folder, const std::string& grid, const std::string& said) {
  const Outcome outcome = run_sweep(folder, grid, "refused");
  CAPTURE(grid, outcome.err);
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.err, contains("grid.toml"));
  CHECK_THAT(outcome.err, contains(said));
}

/// A grid has the same bytes on one thread and on three, in shards that are merged, and begun with fewer trials.
void check_same_bytes(const TemporaryFolder& folder, const std::string& grid, const std::string& fewer) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  REQUIRE(run_sweep(folder, grid, "one").status == 0);
  omp_set_num_threads(3);
  REQUIRE(run_sweep(folder, fewer, "resumed").status == 0);
  REQUIRE(run_sweep(folder, grid, "resumed").status == 0);
  omp_set_num_threads(before);
  for (const char* shard : {"1/2", "2/2"}) {
    REQUIRE(run_sweep(folder, grid, std::string("part") + shard[0], {"--shard", shard}).status == 0);
  }
  REQUIRE(run({"results", "merge", folder / "part2", folder / "part1", "-o", folder / "merged"}).status == 0);
  const std::string expected = exported(folder, "one");
  CHECK(exported(folder, "resumed") == expected);
  CHECK(exported(folder, "merged") == expected);
}

const std::string claims_grid = R"toml(
kind = "claims"
trials = 300
exclude = ["claim == 'cor1' and dim != 0", "claim != 'cor1' and dim == 0",
           "dim == 0 and top != 0", "dim != 0 and top == 0"]
[axes]
claim = ["cor1", "thm2.upper", "thm1.fixed.sharp"]
length = [8, 16]
dim = [0, 4]
top = [0, 3]
)toml";

}  // namespace

TEST_CASE("a grid of claims has the same bytes for any number of threads, shards and goes") {
  const TemporaryFolder folder;
  check_same_bytes(folder, claims_grid, replaced(claims_grid, "300", "130"));
  const std::string csv = exported(folder, "one");
  CHECK_THAT(csv, contains("claim,length,dim,top,"));
  CHECK_THAT(csv, contains(",upper_excess,300,"));
  CHECK_THAT(csv, contains(",violations,300,0,0,0,"));
}

TEST_CASE("a grid of claims can be drawn until an excess is known") {
  const TemporaryFolder folder;
  const std::string grid = replaced(claims_grid, "trials = 300",
                                    "trials = 5000\ntarget = {quantity = \"upper_excess\", standard_error = 0.02}");
  REQUIRE(run_sweep(folder, grid, "out").status == 0);
  const std::string csv = exported(folder, "out");
  CHECK_THAT(csv, contains(",violations,5000,"));
  CHECK(csv.find(",upper_excess,5000,") == std::string::npos);
  refused(folder, replaced(grid, "upper_excess", "uper_excess"), "did you mean upper_excess?");
}

TEST_CASE("a grid of claims that cannot be is refused with problem and remedy") {
  const TemporaryFolder folder;
  refused(folder, replaced(claims_grid, "\"claims\"", "\"claim\""), "did you mean claims?");
  refused(folder, replaced(claims_grid, "\"cor1\"", "\"cor11\""), "did you mean cor1?");
  refused(folder, replaced(claims_grid, "length =", "lenght ="), "did you mean length?");
  refused(folder, replaced(claims_grid, "claim == 'cor1' and dim != 0", "claim == 'none'"),
          "the claim cor1 has no dim");
  refused(folder, replaced(claims_grid, "trials = 300", "trials = 300\nquantities = \"all\""), "have their own");
}

TEST_CASE("recorded logits that change between two runs are refused with both digests, and need not be there to read") {
  const TemporaryFolder folder;
  const std::string rows = folder / "rows.npy";
  const std::string grid =
      "trials = 50\n[axes]\ntop = [1, 2]\n[constants]\nlength = 4\ndim = 3\nlogits = \"file:" + rows + "\"\n";
  write_array(rows, {2, 4}, {0, 1, 2, 3, 1, 0, 2, 5});
  REQUIRE(run_sweep(folder, grid, "out").status == 0);
  REQUIRE(run_sweep(folder, grid, "out").status == 0);
  const std::string values = exported(folder, "out");
  write_array(rows, {2, 4}, {0, 1, 2, 3, 1, 0, 2, 6});
  const Outcome changed = run_sweep(folder, replaced(grid, "50", "60"), "out");
  CHECK(changed.status == 3);
  CHECK_THAT(changed.err, contains("rows.npy had SHA-256 "));
  CHECK_THAT(changed.err, contains("... and has "));
  // Neither may results of both be pooled.
  REQUIRE(run_sweep(folder, grid, "other").status == 0);
  CHECK_THAT(run({"results", "merge", folder / "out", folder / "other", "-o", folder / "both"}).err,
             contains("rows.npy had SHA-256 "));
  fs::remove(rows);
  CHECK(exported(folder, "out") == values);
  CHECK(run({"results", "status", folder / "out"}).status == 0);
  CHECK(run_sweep(folder, grid, "out").status == 3);
}

#ifdef HEADROOM_WITH_ONNX

namespace {

std::string heads_grid(const TemporaryFolder& folder) {
  std::ofstream(folder / "text.txt") << headroom::app::test::sample_text();
  return "kind = \"heads\"\ntrials = 2\n[axes]\nnormalizer = [\"softmax\", \"sparsemax\"]\ntop = [1, 4]\n[constants]\n"
         "length = 48\ntext = \"" +
         folder / "text.txt" + "\"\n";
}

// Column by column, of the line of a CSV file that has these beginnings of cells.
std::map<std::string, double> row(const fs::path& file, const std::string& begin) {
  std::istringstream lines(content(file));
  std::string header, line;
  std::getline(lines, header);
  while (std::getline(lines, line) && !line.starts_with(begin)) {
  }
  std::map<std::string, double> values;
  std::istringstream names(header), cells(line);
  for (std::string name, cell; std::getline(names, name, ',') && std::getline(cells, cell, ',');) {
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    if (end != cell.c_str()) values[name] = value;
  }
  return values;
}

}  // namespace

TEST_CASE("a grid of heads has the same bytes for any number of threads, shards and goes") {
  const TemporaryFolder folder;
  const std::string grid = heads_grid(folder);
  check_same_bytes(folder, grid, replaced(grid, "trials = 2", "trials = 1"));
}

TEST_CASE("one window of a grid of heads has what compare says of it, and another window something else") {
  const TemporaryFolder folder;
  const std::string grid = replaced(heads_grid(folder), "trials = 2", "trials = 1");
  REQUIRE(run_sweep(folder, grid, "out").status == 0);
  REQUIRE(run({"compare", "--text", folder / "text.txt", "--length", "48", "--lengths", "48", "--top", "1,4",
               "--normalizers", "softmax,sparsemax", "-o", folder / "compared"})
              .status == 0);
  const std::map<std::string, double> compared = row(folder.path() / "compared" / "normalizers.csv", "sparsemax,48,4,");
  const std::string csv = exported(folder, "out");
  const std::size_t cell = csv.find(",sparsemax,4,");
  REQUIRE(cell != std::string::npos);
  std::size_t found = 0;
  for (const auto& [name, value] : compared) {
    const std::string before = "," + name + ",1,";
    const std::size_t at = csv.find(before, cell);
    if (at == std::string::npos) continue;
    CAPTURE(name);
    CHECK(std::abs(std::stod(csv.substr(at + before.size())) - value) < 1e-5 * std::max(1.0, std::abs(value)));
    ++found;
  }
  CHECK(found == 22);  // ten numbers and the temperature, each with its spread
  // Two windows are not one: their mean is another, and they have a spread.
  REQUIRE(run_sweep(folder, heads_grid(folder), "two").status == 0);
  CHECK(exported(folder, "two").find(",separable,2,") != std::string::npos);
  CHECK(run({"results", "diff", folder / "out", folder / "out"}).status == 0);
}

TEST_CASE("a text that changes is refused, a shorter one than the windows asked for fails, and results need neither") {
  const TemporaryFolder folder;
  const std::string grid = replaced(heads_grid(folder), "\"softmax\", ", "");
  REQUIRE(run_sweep(folder, grid, "out").status == 0);
  const std::string values = exported(folder, "out");
  const Outcome many = run_sweep(folder, replaced(grid, "trials = 2", "trials = 2000"), "many");
  CHECK(many.status == 3);
  CHECK_THAT(many.err, contains("2000 are asked for"));
  std::ofstream(folder / "text.txt", std::ios::app) << "More.";
  const Outcome changed = run_sweep(folder, grid, "out");
  CHECK(changed.status == 3);
  CHECK_THAT(changed.err, contains("text.txt had SHA-256 "));
  fs::remove(folder / "text.txt");
  CHECK(exported(folder, "out") == values);
  CHECK(run_sweep(folder, grid, "out").status == 3);
}

TEST_CASE("a grid of heads that cannot be is refused with problem and remedy") {
  const TemporaryFolder folder;
  const std::string grid = heads_grid(folder);
  refused(folder, replaced(grid, "trials = 2", "trials = 2\nseed = 3"), "draw nothing that a seed could change");
  refused(folder, replaced(grid, "length = 48", "length = 48\ndim = 3"), "there is no constant 'dim'");
  refused(folder, replaced(grid, "sparsemax", "sparsmax"), "sparsemax");
  refused(folder, replaced(grid, "length = 48", "length = 4"), "1 <= N <= L - 1 = 3");
  refused(folder, replaced(grid, "length = 48", "length = 48\nmatch = \"entropie\""), "did you mean entropy?");
  refused(folder, replaced(grid, "length = 48", "length = 48\nvectors = \"hiden\""), "did you mean hidden?");
  refused(folder, replaced(grid, "length = 48", "length = 48\nbos = 2"), "0 or 1");
  refused(folder, replaced(grid, "length = 48", "length = 48\nmodel = \"nowhere\""), "no such model");
  refused(folder, replaced(grid, "length = 48", "length = 48\nmatch = \"entropy\"\ntemperature = 2"), "fitted");
}

#endif
