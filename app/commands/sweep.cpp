#include <fmt/format.h>
#include <omp.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
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
#include "app/sweep/ranks.hpp"
#include "core/error.hpp"
#include "verify/sweep/run.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;
using verify::sweep::Index;
using verify::sweep::ShardChoice;
using verify::sweep::SharedTotals;
using verify::sweep::Source;
using verify::sweep::SweepPlan;
using verify::sweep::WorkItem;

struct SweepOptions {
  std::string grid;
  std::string output;
  std::optional<std::string> shard;
  bool dry_run = false;
  bool yes = false;
  bool retry_failed = false;
  bool fail_fast = false;
  bool keep_going = false;  // what happens anyway
  double rank_timeout = 60;
};

ShardChoice parse_shard(const std::optional<std::string>& option) {
  if (!option) return {};
  const std::string& text = *option;
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
  if (seconds == 0 && !items.empty()) {
    print_data(text + "how long they take is open: those that were tried failed\n");
    return exit_done;
  }
  const int threads = omp_get_max_threads();
  text += fmt::format("about {} on {} thread{}", duration_text(seconds / threads), threads, threads == 1 ? "" : "s");
  if (!plan.grid().stopping.quantity.empty()) text += " at most, should no cell reach its target";
  print_data(text + "\n");
  return exit_done;
}

/// What the rank that hands out the cells knows beside the grid.
struct Leader {
  Leader(const SweepFolder& folder, const GridFile& file, const SweepOptions& options, ShardChoice shard)
      : plan(file.grid, *file.kind, options.yes) {
    static_cast<void>(folder.exists());
    folder.create();
    lock.emplace(folder.path(), shard);
    if (!lock->stale().empty()) {
      spdlog::warn("{} ended without releasing its lock; going on from what it saved", lock->stale());
    }
    index = Index(folder.cells(), file.grid.stopping.quantity);
    tell_damages(index);
    check_grid_fits(folder, file, plan, index);
    write_run(folder, file);
    items = plan.left(index, shard, options.retry_failed);
    source.emplace(items, plan, index, options.retry_failed);
    for (const WorkItem& item : items) seconds += item.seconds;
    if (const std::uint64_t failed = plan.count(index, shard).failed; failed > 0 && !options.retry_failed) {
      spdlog::warn("{} cell{} failed before and {} left out; --retry-failed tries again", failed,
                   failed == 1 ? "" : "s", failed == 1 ? "is" : "are");
    }
  }

  SweepPlan plan;
  std::optional<verify::sweep::FolderLock> lock;
  Index index;
  std::vector<WorkItem> items;
  std::optional<verify::sweep::ListSource> source;
  double seconds = 0;  // of all items, roughly
};

int report(const SweepFolder& folder, const SharedTotals& totals, const std::string& first_failure, double seconds) {
  const std::string where = folder.path().string();
  if (interrupted()) {
    throw Interrupted(
        fmt::format("{} cells were finished and are in {}; the same command goes on", totals.finished, where));
  }
  if (totals.failed > 0) {
    throw_input(fmt::format("{} of {} cells failed{}", totals.failed, totals.failed + totals.finished,
                            first_failure.empty() ? std::string() : "; the first: " + first_failure),
                where, "results status lists them; --retry-failed tries them again");
  }
  spdlog::info("{} cells computed in {}; the results are in {}", totals.finished, duration_text(seconds), where);
  return exit_done;
}

int dry_run(const SweepOptions& options, const GridFile& file, ShardChoice shard) {
  const SweepPlan plan(file.grid, *file.kind, options.yes);
  const SweepFolder folder(options.output);
  Index index;
  if (!options.output.empty() && folder.exists()) {
    index = Index(folder.cells(), file.grid.stopping.quantity);
    tell_damages(index);
    check_grid_fits(folder, file, plan, index);
  }
  return dry_run(plan, index, shard, options.retry_failed);
}

/// Tells the progress of all processes, on a terminal and in the lock.
class SweepProgress {
 public:
  explicit SweepProgress(Leader& leader) : leader_(leader), progress_("cells", leader.items.size()) {}

  /// May be called by several threads. @param seconds of the plan's estimate that are done
  void tell(std::uint64_t done, double seconds) {
    const std::scoped_lock lock(mutex_);
    elapsed_ += watch_.lap();
    progress_.update(done);
    const double left = seconds > 0 ? elapsed_ * std::max(0.0, leader_.seconds - seconds) / seconds : 0;
    leader_.lock->set_progress(
        fmt::format("{} of {} cells, about {} left", done, leader_.items.size(), duration_text(left)));
  }

 private:
  Leader& leader_;
  std::mutex mutex_;
  Progress progress_;
  Stopwatch watch_;
  double elapsed_ = 0;
};

void tell_lost(int rank, std::size_t cells, double silence) {
  if (rank == 0) {
    spdlog::warn("rank 0 has been silent for {}; this rank saves what it has in hand and ends", duration_text(silence));
  } else {
    spdlog::warn("rank {} has been silent for {} and is taken for dead; the {} cells it had in hand go to the others",
                 rank, duration_text(silence), cells);
  }
}

int sweep(const SweepOptions& options) {
  const ShardChoice shard = parse_shard(options.shard);
  const GridFile file = read_grid(options.grid);
  if (options.dry_run) return dry_run(options, file, shard);
  if (options.output.empty()) throw_usage("sweep needs a folder for its results", "--output", "give one with -o DIR");
  const SweepFolder folder(options.output);
  Ranks ranks;
  std::optional<Leader> leader;
  std::exception_ptr trouble;
  try {
    if (ranks.rank() == 0) leader.emplace(folder, file, options, shard);
  } catch (...) {
    trouble = std::current_exception();
  }
  const bool ready = ranks.agreed(leader.has_value());
  if (trouble) std::rethrow_exception(trouble);
  if (!ready) return exit_input;  // rank 0 says why
  if (ranks.rank() != 0) file.inputs->expect(folder.recorded_inputs());

  verify::sweep::ShardWriter writer(folder.new_shard(shard, ranks.rank()),
                                    writer_text(ranks.rank(), ranks.size(), ranks.threads()));
  std::optional<SweepProgress> progress;
  if (leader) progress.emplace(*leader);
  Stopwatch watch;
  verify::sweep::SharingOptions sharing;
  sharing.stop = interrupted;
  sharing.fail_fast = options.fail_fast;
  sharing.silence = options.rank_timeout;
  sharing.lost = [&](int rank, std::size_t cells) { tell_lost(rank, cells, options.rank_timeout); };
  sharing.heard = [&](const SharedTotals& totals) { progress->tell(totals.finished + totals.failed, totals.seconds); };
  const std::unique_ptr<verify::sweep::SharedSource> shared =
      ranks.source(leader ? &*leader->source : nullptr, std::move(sharing));
  verify::sweep::RunOptions run;
  run.stop = interrupted;
  run.fail_fast = options.fail_fast;
  run.progress = [&](std::uint64_t finished, std::uint64_t failed, double seconds) {
    if (!progress) return;
    const SharedTotals totals = shared ? shared->totals() : SharedTotals{finished, failed, seconds, {}, true};
    progress->tell(totals.finished + totals.failed, totals.seconds);
  };
  verify::sweep::RunOutcome outcome;
  try {
    outcome = run_sweep(file.grid, *file.kind, shared ? static_cast<Source&>(*shared) : *leader->source, writer, run);
  } catch (...) {
    trouble = std::current_exception();
  }
  const SharedTotals totals = shared ? shared->close() : SharedTotals{outcome.finished, outcome.failed, 0, {}, true};
  if (!totals.whole) ranks.abandon();
  progress.reset();
  if (trouble) std::rethrow_exception(trouble);
  if (leader) return report(folder, totals, outcome.first_failure, watch.lap());
  if (totals.lost.empty()) return exit_done;  // rank 0 has the last word
  throw_input("rank 0 is gone, and with it the list of what is left", folder.path().string(),
              "start again; what was finished is kept");
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
  command
      ->add_option("--rank-timeout", options->rank_timeout,
                   "under mpirun: seconds of silence after which a rank is taken for dead and its cells go to others")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->callback([options, &action] { action = [options] { return sweep(*options); }; });
}

}  // namespace headroom::app
