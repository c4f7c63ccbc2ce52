#include "bench/swept_cells.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <utility>

#include "app/stopwatch.hpp"
#include "verify/sweep/run.hpp"

namespace headroom::bench {

using verify::sweep::GridWalk;
using verify::sweep::WorkItem;

SweptCells::SweptCells(std::string grid)
    : file_(app::parse_grid(std::move(grid), "the benchmark's grid")),
      plan_(std::make_unique<const verify::sweep::SweepPlan>(file_.grid, *file_.kind, true)) {}

double bare_loop(const SweptCells& cells) {
  const std::vector<WorkItem> items = cells.plan().left({}, {}, false);
  const verify::sweep::Grid& grid = cells.plan().grid();
  app::Stopwatch watch;
#pragma omp parallel
  {
    GridWalk walk = cells.plan().walk();
#pragma omp for schedule(dynamic)
    for (std::ptrdiff_t k = 0; k < static_cast<std::ptrdiff_t>(items.size()); ++k) {
      walk.move_to(items[static_cast<std::size_t>(k)].point);
      const auto work = cells.plan().kind().begin(walk.values(), walk.groups(), grid.seed, nullptr);
      static_cast<void>(work->run(grid.stopping.trials, {}));
    }
  }
  return watch.lap();
}

std::string equal_cells(std::size_t count, double seconds) {
  const auto grid = [](std::size_t cells, std::uint64_t trials) {
    return fmt::format(
        "trials = {}\n[axes]\ntemperature = {{from = 1, to = 2, count = {}}}\n[constants]\nlength = 64\ndim = 16\n"
        "top = 4\n",
        trials, cells);
  };
  constexpr std::uint64_t trials = 1000;
  const auto some = static_cast<std::size_t>(8 * omp_get_max_threads());
  const SweptCells few(grid(some, trials));
  double least = 1e9;
  for (int round = 0; round < 5; ++round) least = std::min(least, bare_loop(few));
  const double per_trial = least * omp_get_max_threads() / static_cast<double>(some * trials);
  return grid(count, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(seconds / per_trial)));
}

double sweep_loop(const SweptCells& cells, const std::filesystem::path& folder) {
  app::Stopwatch watch;
  const verify::sweep::Index index(folder);
  const std::vector<WorkItem> items = cells.plan().left(index, {}, false);
  verify::sweep::ListSource source(items, cells.plan(), index, false);
  verify::sweep::ShardWriter writer(folder / "cells.jsonl", "");
  static_cast<void>(run_sweep(cells.plan().grid(), cells.plan().kind(), source, writer, {}));
  return watch.lap();
}

}  // namespace headroom::bench
