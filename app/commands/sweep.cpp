#include <fmt/format.h>
#include <omp.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/duration.hpp"
#include "app/interrupt.hpp"
#include "app/program.hpp"
#include "app/progress.hpp"
#include "app/standard_output.hpp"
#include "app/stopwatch.hpp"
#include "app/sweep/estimate.hpp"
#include "app/sweep/folder.hpp"
#include "app/sweep/opened.hpp"
#include "app/sweep/pooled.hpp"
#include "core/error.hpp"
#include "verify/sweep/run.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;
using verify::sweep::Index;
using verify::sweep::ShardChoice;
using verify::sweep::SweepPlan;
using verify::sweep::WorkItem;

struct SweepOptions {
  std::string grid;
  std::string output;
  std::string shard;
  bool dry_run = false;
  bool yes = false;
  bool retry_failed = false;
  bool fail_fast = false;
  bool keep_going = false;  // what happens anyway
};

ShardChoice parse_shard(const std::string& text) {
  if (text.empty()) return {};
  ShardChoice shard;
  const char* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  const bool divided = index.ec == std::errc() && index.ptr != end && *index.ptr == '/';
  const auto count = divided ? std::from_chars(index.ptr + 1, end, shard.count) : index;
  if (!divided || count.ec != std::errc() || count.ptr != end || shard.index < 1 || shard.index > shard.count) {
    throw_usage("there is no shard '" + text + "'", "--shard", "I/N with 1 <= I <= N, e.g. 1/4 to 4/4");
  }
  return shard;
}

// "length 64, top 1,2,4", and where it goes on.
std::string item_line(const SweepPlan& plan, const verify::sweep::GridWalk& walk, const WorkItem& item) {
  std::string text = cell_label(plan, walk, 0);
  if (!plan.kind().grouped().empty())
    text += fmt::format("{} {}", plan.kind().grouped(), fmt::join(walk.groups(), ","));
  if (text.ends_with(", ")) text.resize(text.size() - 2);
  if (item.start > 0) text += fmt::format(", from trial {}", item.start);
  return text + "\n";
}

int dry_run(const SweepPlan& plan, const Index& index, ShardChoice shard, bool retry_failed) {
  const std::vector<WorkItem> items = plan.left(index, shard, retry_failed);
  constexpr std::size_t shown = 40;
  const bool all = isatty(STDOUT_FILENO) == 0;
  verify::sweep::GridWalk walk = plan.walk();
  std::string text;
  for (std::size_t k = 0; k < items.size() && (all || k < shown); ++k) {
    walk.move_to(items[k].point);
    text += item_line(plan, walk, items[k]);
  }
  if (!all && items.size() > shown) text += fmt::format("... and {} more\n", items.size() - shown);
  const verify::sweep::Counts counts = plan.count(index, shard);
  text += fmt::format("{} cells: {} done, {} begun, {} missing, {} failed\n", counts.total(), counts.done,
                      counts.partial, counts.missing, counts.failed);
  const double seconds = measured_seconds(plan, items);
  const int threads = omp_get_max_threads();
  text += fmt::format("about {} on {} thread{}", duration_text(seconds / threads), threads, threads == 1 ? "" : "s");
  if (!plan.grid().stopping.quantity.empty()) text += " at most, should no cell reach its target";
  print_data(text + "\n");
  return exit_done;
}

int report(const SweepFolder& folder, const SweepPlan& plan, const verify::sweep::RunOutcome& outcome, double seconds) {
  const std::string where = folder.path().string();
  if (interrupted()) {
    throw Interrupted(
        fmt::format("{} cells were finished and are in {}; the same command goes on", outcome.finished, where));
  }
  if (outcome.failed > 0) {
    throw_input(fmt::format("{} of {} cells failed; the first: {}", outcome.failed, outcome.failed + outcome.finished,
                            outcome.first_failure),
                where, "results status lists them; --retry-failed tries them again");
  }
  spdlog::info("{} cells computed in {}; {} of {} are in {}", outcome.finished, duration_text(seconds),
               plan.cells().size(), plan.cells().size(), where);
  return exit_done;
}

int sweep(const SweepOptions& options) {
  const ShardChoice shard = parse_shard(options.shard);
  const GridFile file = read_grid(options.grid);
  const SweepPlan plan(file.grid, *file.kind, options.yes);
  const SweepFolder folder(options.output);
  const std::string& watched = file.grid.stopping.quantity;
  if (options.dry_run) {
    Index index;
    if (!options.output.empty() && folder.exists()) {
      index = Index(folder.cells(), watched);
      tell_damages(index);
      check_grid_fits(folder, plan, index);
    }
    return dry_run(plan, index, shard, options.retry_failed);
  }
  if (options.output.empty()) throw_usage("sweep needs a folder for its results", "--output", "give one with -o DIR");
  static_cast<void>(folder.exists());
  folder.create();
  verify::sweep::FolderLock lock(folder.path(), shard);
  if (!lock.stale().empty())
    spdlog::warn("{} ended without releasing its lock; going on from what it saved", lock.stale());
  const Index index(folder.cells(), watched);
  tell_damages(index);
  check_grid_fits(folder, plan, index);
  write_run(folder, file);

  const std::vector<WorkItem> items = plan.left(index, shard, options.retry_failed);
  verify::sweep::ListSource source(items, plan, index, options.retry_failed);
  verify::sweep::ShardWriter writer(folder.new_shard(shard, 0), writer_text(0, 1, omp_get_max_threads()));
  Progress progress("cells", items.size());
  double total = 0;
  for (const WorkItem& item : items) total += item.seconds;
  Stopwatch watch;
  double elapsed = 0;
  verify::sweep::RunOptions run;
  run.stop = interrupted;
  run.fail_fast = options.fail_fast;
  run.progress = [&](std::uint64_t finished, std::uint64_t failed, double seconds) {
    elapsed += watch.lap();
    progress.update(finished + failed);
    lock.set_progress(fmt::format("{} of {} cells, about {} left", finished + failed, items.size(),
                                  duration_text(elapsed / seconds * (total - seconds))));
  };
  const verify::sweep::RunOutcome outcome = run_sweep(file.grid, *file.kind, source, writer, run);
  elapsed += watch.lap();
  return report(folder, plan, outcome, elapsed);
}

}  // namespace

void add_sweep(CLI::App& program, Action& action) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command = program.add_subcommand("sweep", "A grid of cells, resumable; under mpirun the ranks share them");
  command->add_option("grid", options->grid, "TOML file with the grid (docs/sweeps.md)")->required();
  command->add_option("-o,--output", options->output, "folder for the results; goes on where it holds some");
  command->add_option("--shard", options->shard, "I/N: only the I-th of N parts, for array jobs");
  command->add_flag("--dry-run", options->dry_run, "only print the cells that are left and how long they would take");
  command->add_flag("--yes", options->yes, "also take a grid of more than ten million combinations");
  command->add_flag("--retry-failed", options->retry_failed, "try cells again that failed before");
  CLI::Option* fail_fast = command->add_flag("--fail-fast", options->fail_fast, "stop at the first cell that fails");
  command->add_flag("--keep-going", options->keep_going, "go on when a cell fails (default)")->excludes(fail_fast);
  command->callback([options, &action] { action = [options] { return sweep(*options); }; });
}

}  // namespace headroom::app
