#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/output.hpp"
#include "app/run_record.hpp"
#include "app/sweep/opened.hpp"
#include "app/sweep/pooled.hpp"
#include "app/sweep/results.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

using verify::sweep::GroupValues;
using verify::sweep::IndexEntry;
using verify::sweep::Record;
using Sweeps = std::vector<std::unique_ptr<const OpenedSweep>>;

bool same_settings(const verify::sweep::Grid& a, const verify::sweep::Grid& b) {
  return a.kind == b.kind && a.quantities == b.quantities && a.stopping.quantity == b.stopping.quantity &&
         a.stopping.least == b.stopping.least;
}

/// Whether all results of a sweep belong to a plan, under whatever seed.
bool holds_all(const verify::sweep::SweepPlan& plan, const OpenedSweep& sweep) {
  if (!same_settings(plan.grid(), sweep.file.grid)) return false;
  const std::vector<std::uint64_t> seeds = seeds_of(sweep.index);
  verify::sweep::GridWalk walk = plan.walk();
  std::size_t found = 0;
  for (const verify::sweep::PlannedCell& cell : plan.cells()) {
    walk.move_to(cell.point);
    for (const std::uint64_t group : walk.groups()) {
      for (const std::uint64_t seed : seeds) {
        const IndexEntry* entry = sweep.index.find(cell.hash, seed, group);
        if (entry != nullptr && entry->trials <= plan.grid().stopping.trials) ++found;
      }
    }
  }
  return found == sweep.index.entries().size();
}

const OpenedSweep& with_grid_of_all(const Sweeps& sweeps) {
  for (const auto& candidate : sweeps) {
    if (std::all_of(sweeps.begin(), sweeps.end(),
                    [&](const auto& sweep) { return holds_all(*candidate->plan, *sweep); })) {
      return *candidate;
    }
  }
  std::string difference;
  for (const auto& sweep : sweeps) {
    if (difference.empty()) difference = grid_difference(sweeps.front()->file.grid, sweep->file.grid);
  }
  throw_input("no grid of theirs holds the results of all: " + difference, sweeps.front()->folder.path().string(),
              "merge sweeps whose grids differ in seed, trials or added values only");
}

bool same(const std::vector<std::pair<std::string, verify::Moments>>& a,
          const std::vector<std::pair<std::string, verify::Moments>>& b) {
  // As they are written, so that NaN equals itself.
  const auto text = [](const auto& values) {
    Record record;
    record.groups.push_back({0, values});
    return record_line(record);
  };
  return text(a) == text(b);
}

/// The group with the most trials among the sweeps, as a record of it alone.
std::optional<Record> best(const Sweeps& sweeps, std::uint64_t cell, std::uint64_t seed, std::uint64_t group) {
  std::optional<Record> found;
  for (const auto& sweep : sweeps) {
    const IndexEntry* entry = sweep->index.find(cell, seed, group);
    if (entry == nullptr || entry->trials == 0 || (found && found->trials > entry->trials)) continue;
    Record record = sweep->index.read(*entry);
    std::erase_if(record.groups, [&](const GroupValues& values) { return values.group != group; });
    if (found && found->trials == record.trials && !same(found->groups[0].values, record.groups[0].values)) {
      throw_input("a cell has another result for the same seed and trials than elsewhere: " + record.of,
                  sweep->folder.path().string(), "compute it again with the program that made the others");
    }
    found = std::move(record);
  }
  return found;
}

}  // namespace

void merge_sweeps(const std::vector<std::string>& folders, const std::string& into) {
  Sweeps sweeps;
  for (const std::string& folder : folders) sweeps.push_back(open_sweep(folder));
  InputDigests::Digests inputs;
  for (const auto& sweep : sweeps) {
    const InputDigests::Digests more = sweep->folder.recorded_inputs();
    check_inputs(inputs, more, sweep->folder.path().string());
    inputs.insert(more.begin(), more.end());
  }
  const OpenedSweep& all = with_grid_of_all(sweeps);
  const SweepFolder target(into);
  if (target.exists()) throw_input("there is a sweep already", into, "name a new folder with -o");
  target.create();
  verify::sweep::FolderLock lock(target.path(), {});

  std::vector<std::uint64_t> seeds;
  for (const auto& sweep : sweeps) {
    const std::vector<std::uint64_t> more = seeds_of(sweep->index);
    seeds.insert(seeds.end(), more.begin(), more.end());
  }
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());

  OutputFile shard(target.cells() / "merged.jsonl");
  shard.write(verify::sweep::checked_line(fmt::format("\"shard\":\"{}\"", verify::sweep::shard_schema)));
  verify::sweep::GridWalk walk = all.plan->walk();
  for (const verify::sweep::PlannedCell& cell : in_grid_order(*all.plan)) {
    walk.move_to(cell.point);
    for (const std::uint64_t seed : seeds) {
      std::vector<Record> records;  // one for each number of trials
      for (const std::uint64_t group : walk.groups()) {
        std::optional<Record> record = best(sweeps, cell.hash, seed, group);
        if (!record) continue;
        const auto same_trials = std::find_if(records.begin(), records.end(),
                                              [&](const Record& other) { return other.trials == record->trials; });
        if (same_trials == records.end()) {
          records.push_back(std::move(*record));
        } else {
          same_trials->groups.push_back(record->groups[0]);
        }
      }
      for (const Record& record : records) shard.write(record_line(record));
    }
  }
  shard.commit();
  write_file(target.grid(), all.file.text);
  RunRecord record = sweep_record(all.file);
  record.set("seeds", seeds);
  record.set("merged", folders);
  if (!inputs.empty()) record.set("inputs", inputs);
  record.write(target.record());
}

}  // namespace headroom::app
