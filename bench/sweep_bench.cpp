// What a sweep costs beside its trials: its share of the machine at 10 ms a cell, two ranks over one, 100,000 cells
// planned and resumed, and what its parts take each.
#include <fmt/format.h>
#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include "app/output.hpp"
#include "bench/child.hpp"
#include "bench/scratch_folder.hpp"
#include "bench/spread.hpp"
#include "bench/sweep_costs.hpp"
#include "bench/swept_cells.hpp"
#ifdef HEADROOM_WITH_MPI
#include "bench/sweep_ranks.hpp"
#endif

namespace headroom::bench {
namespace {

struct Options {
  std::string program = HEADROOM_PROGRAM;
  std::string grid = HEADROOM_SOURCE "/results/grids/hundred-thousand.toml";
  std::string mpirun = "mpirun --oversubscribe --bind-to none";
  std::size_t cells = 600;
  double cell_seconds = 0.01;
  int rounds = 5;
  std::string rank;  // what to do as a rank of its own
  std::string rank_grid;
  std::string rank_folder;
};

void print_row(const char* what, const Spread& value, const char* unit, const char* goal, int digits = 3) {
  fmt::print("{:<58}{:>9.{}f}{:>9.{}f}{:>9.{}f}  {:<8}{}\n", what, value.median, digits, value.least, digits,
             value.most, digits, unit, goal);
  std::fflush(stdout);
}

void print_throughput(const Options& o) {
  const SweptCells cells(equal_cells(o.cells, o.cell_seconds));
  std::vector<double> bare;
  std::vector<double> swept;
  for (int round = 0; round < 3 * o.rounds; ++round) {
    const ScratchFolder folder;
    bare.push_back(bare_loop(cells));
    swept.push_back(sweep_loop(cells, folder.file("")));
  }
  const double each = spread(bare).median * omp_get_max_threads() / static_cast<double>(o.cells);
  print_row("a cell by itself, on one of the threads", {each * 1e3, each * 1e3, each * 1e3}, "ms", "", 1);
  print_row("throughput of a sweep over the bare loop of its cells", ratio(bare, swept), "", ">= 0.95");
}

void print_large(const Options& o) {
  const ScratchFolder folder;
  const auto sweep = [&](const char* more) {
    return run_child(fmt::format("{} sweep {} {}", quoted(o.program), quoted(o.grid), more));
  };
  const std::string out = "-o " + quoted(folder.file("out")) + " 2>/dev/null";
  std::vector<double> planned;
  std::vector<double> resumed;
  double peak = sweep(out.c_str()).peak_mebibytes;
  for (int round = 0; round < o.rounds; ++round) {
    const Child child = sweep(out.c_str());
    resumed.push_back(child.seconds);
    peak = std::max(peak, child.peak_mebibytes);
  }
  print_row("100,000 cells planned and found done", spread(resumed), "s", "< 2");
  print_row("memory of that, and of computing them", {peak, peak, peak}, "MiB", "< 200", 0);
}

void print_store(const Options& o) {
  std::vector<double> plan, append, read, pool, bytes;
  for (int round = 0; round < o.rounds; ++round) {
    const StoreCosts costs = store_costs(50'000);
    plan.push_back(costs.plan * 1e6);
    append.push_back(costs.append * 1e6);
    read.push_back(costs.read * 1e6);
    pool.push_back(costs.pool * 1e6);
    bytes.push_back(costs.bytes);
  }
  print_row("planning a cell", spread(plan), "us", "", 2);
  print_row("appending a record of 8 quantities", spread(append), "us", "", 2);
  print_row("finding a record when the folder is opened", spread(read), "us", "", 2);
  print_row("reading and pooling a record", spread(pool), "us", "", 2);
  print_row("a record", spread(bytes), "bytes", "", 0);
}

#ifdef HEADROOM_WITH_MPI

double as_ranks(const Options& o, int ranks, const std::string& what, const std::string& more = {}) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  // Open MPI asks root twice.
  return std::stod(run_child(fmt::format("env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                                         "OMP_NUM_THREADS=1 {} -np {} {} --rank {} {}",
                                         o.mpirun, ranks, quoted(self), what, more))
                       .output);
}

void print_ranks(const Options& o) {
  const ScratchFolder folder;
  app::write_file(folder.file("grid.toml"), equal_cells(o.cells, o.cell_seconds));
  int jobs = 0;
  const auto compute = [&](int ranks, const std::string& shards) {
    std::filesystem::create_directory(shards);
    return as_ranks(o, ranks, "cells",
                    fmt::format("--rank-grid {} --rank-folder {}", quoted(folder.file("grid.toml")), quoted(shards)));
  };
  const auto next_shards = [&] { return folder.file(std::to_string(jobs++)); };
  std::vector<double> one, two, apart, letters, drained;
  for (int round = 0; round < 2 * o.rounds; ++round) {
    one.push_back(compute(1, next_shards()));
    two.push_back(2 * compute(2, next_shards()));
    // Each the whole grid: what the machine gives two processes that know nothing of each other.
    auto other = std::async(std::launch::async, compute, 1, next_shards());
    const double mine = compute(1, next_shards());
    apart.push_back((mine + other.get()) / 2);
    letters.push_back(as_ranks(o, 2, "letters") * 1e6);
    drained.push_back(as_ranks(o, 2, "drain") * 1e6);
  }
  print_row("efficiency of two ranks over one, a thread each", ratio(one, two), "", ">= 0.95");
  print_row("that of two jobs of one rank, side by side", ratio(one, apart), "", "");
  print_row("two ranks over the two jobs", ratio(apart, two), "", "");
  print_row("a letter from one rank to another and back", spread(letters), "us", "", 2);
  print_row("processor time of rank 0 per cell it hands out", spread(drained), "us", "", 2);
}

#endif

void run(const Options& o) {
  fmt::print("{} cells of {:.0f} ms, {} threads, {} rounds, three times as many of the first\n", o.cells,
             o.cell_seconds * 1e3, omp_get_max_threads(), o.rounds);
  fmt::print("{:<58}{:>9}{:>9}{:>9}  {:<8}{}\n", "", "median", "least", "most", "", "goal");
  print_throughput(o);
#ifdef HEADROOM_WITH_MPI
  if (!o.mpirun.empty()) print_ranks(o);
#endif
  print_large(o);
  print_store(o);
}

}  // namespace
}  // namespace headroom::bench

int main(int argc, char* argv[]) {
  headroom::bench::Options options;
  CLI::App program{"what a sweep costs beside its trials"};
  program.add_option("--program", options.program, "headroom")->capture_default_str();
  program.add_option("--grid", options.grid, "of 100,000 cells")->capture_default_str();
  program.add_option("--mpirun", options.mpirun, "how ranks are started; empty: none are")->capture_default_str();
  program.add_option("--cells", options.cells)->capture_default_str();
  program.add_option("--cell-seconds", options.cell_seconds)->capture_default_str();
  program.add_option("--rounds", options.rounds)->capture_default_str();
  program.add_option("--rank", options.rank)->group("");
  program.add_option("--rank-grid", options.rank_grid)->group("");
  program.add_option("--rank-folder", options.rank_folder)->group("");
  CLI11_PARSE(program, argc, argv);
  try {
#ifdef HEADROOM_WITH_MPI
    if (!options.rank.empty()) {
      headroom::bench::act_as_rank(options.rank, options.rank_grid, options.rank_folder);
      return 0;
    }
#endif
    headroom::bench::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "sweep_bench: {}\n", error.what());
    return 3;
  }
  return 0;
}
