#include "verify/sweep/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/error.hpp"
#include "sim/hash.hpp"

namespace headroom::verify::sweep {
namespace {

std::string point_text(const GridWalk& walk, std::span<const GridKey> keys) {
  std::string text;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::string value = value_text(walk.values()[k]);
    if (!value.empty()) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", keys[k].name, value);
  }
  return text;
}

[[noreturn]] void throw_all_excluded(const Grid& grid, const GridWalk& walk) {
  std::string counts;
  for (std::size_t c = 0; c < grid.exclude.size(); ++c) {
    counts += fmt::format("{}'{}' excludes {}", c == 0 ? "" : ", ", grid.exclude[c], walk.excluded()[c]);
  }
  throw_input(fmt::format("every one of the {} combinations is excluded: {}", GridWalk::combinations(grid), counts),
              grid.source, "take a condition back, or give the axes other values");
}

}  // namespace

SweepPlan::SweepPlan(const Grid& grid, const Kind& kind, bool large) : grid_(&grid), kind_(&kind) {
  const std::uint64_t combinations = GridWalk::combinations(grid);
  if (combinations > combination_limit && !large) {
    const std::string number = combinations == std::numeric_limits<std::uint64_t>::max()
                                   ? std::string("more than 10^19")
                                   : fmt::format("{}", combinations);
    throw_usage(fmt::format("the grid has {} combinations, more than {}", number, combination_limit), grid.source,
                "give --yes if that is meant, and a machine with 100 bytes of memory for each");
  }
  GridWalk walk = this->walk();
  for (std::uint64_t point = 0; point < walk.points(); ++point) {
    walk.move_to(point);
    if (walk.groups().empty()) continue;
    try {
      const Kind::Identity identity = kind.identify(walk.values(), walk.groups());
      cells_.push_back(
          {point, sim::hash64(identity.of), identity.seconds_per_trial * static_cast<double>(grid.stopping.trials)});
    } catch (const Error& error) {
      throw_input(fmt::format("no such cell can be ({}): {}", point_text(walk, kind.keys()), error.what()), grid.source,
                  "correct the axes, or add a condition to exclude");
    }
    values_ += walk.groups().size();
  }
  if (cells_.empty()) throw_all_excluded(grid, walk);
  std::sort(cells_.begin(), cells_.end(), [](const PlannedCell& a, const PlannedCell& b) { return a.hash < b.hash; });
  const auto twin = std::adjacent_find(cells_.begin(), cells_.end(),
                                       [](const PlannedCell& a, const PlannedCell& b) { return a.hash == b.hash; });
  if (twin != cells_.end()) {
    walk.move_to(twin->point);
    throw_input("the same cell stands in the grid twice: " + point_text(walk, kind.keys()), grid.source,
                "name every value once, in one spelling");
  }
  std::sort(cells_.begin(), cells_.end(), [](const PlannedCell& a, const PlannedCell& b) {
    return std::tuple(b.seconds, a.point) < std::tuple(a.seconds, b.point);
  });
}

bool SweepPlan::is_done(const IndexEntry* entry) const {
  if (entry == nullptr || entry->trials == 0) return false;
  const Stopping& stopping = grid_->stopping;
  if (entry->trials >= stopping.trials) return true;
  return !stopping.quantity.empty() && entry->standard_error <= stopping.standard_error &&
         stopping.next_stop(entry->trials - 1) == entry->trials;
}

bool SweepPlan::in_shard(std::size_t rank, ShardChoice shard) const {
  const std::uint64_t round = rank / shard.count;
  const std::uint64_t place = rank % shard.count;
  return (round % 2 == 0 ? place : shard.count - 1 - place) == shard.index - 1;
}

std::vector<WorkItem> SweepPlan::left(const Index& index, ShardChoice shard, bool retry_failed) const {
  std::vector<WorkItem> items;
  GridWalk walk = this->walk();
  std::vector<std::uint64_t> starts;
  for (std::size_t rank = 0; rank < cells_.size(); ++rank) {
    if (!in_shard(rank, shard)) continue;
    const PlannedCell& cell = cells_[rank];
    walk.move_to(cell.point);
    starts.clear();
    for (const std::uint64_t group : walk.groups()) {
      const IndexEntry* entry = index.find(cell.hash, grid_->seed, group);
      if (is_done(entry) || (entry != nullptr && entry->failed && !retry_failed)) continue;
      const std::uint64_t start = entry == nullptr ? 0 : entry->trials;
      if (std::find(starts.begin(), starts.end(), start) == starts.end()) starts.push_back(start);
    }
    for (const std::uint64_t start : starts) {
      const double share = 1 - static_cast<double>(start) / static_cast<double>(grid_->stopping.trials);
      items.push_back({cell.point, cell.hash, start, cell.seconds * share});
    }
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const WorkItem& a, const WorkItem& b) { return a.seconds > b.seconds; });
  return items;
}

Counts SweepPlan::count(const Index& index, ShardChoice shard) const {
  Counts counts;
  GridWalk walk = this->walk();
  for (std::size_t rank = 0; rank < cells_.size(); ++rank) {
    if (!in_shard(rank, shard)) continue;
    const PlannedCell& cell = cells_[rank];
    walk.move_to(cell.point);
    bool done = true;
    bool begun = false;
    bool failed = false;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t group : walk.groups()) {
      const IndexEntry* entry = index.find(cell.hash, grid_->seed, group);
      const bool group_done = is_done(entry);
      done = done && group_done;
      begun = begun || (entry != nullptr && entry->trials > 0);
      failed = failed || (!group_done && entry != nullptr && entry->failed);
      if (!group_done) least = std::min(least, entry == nullptr ? 0 : entry->trials);
    }
    ++(done ? counts.done : failed ? counts.failed : begun ? counts.partial : counts.missing);
    const double share = done ? 1 : static_cast<double>(least) / static_cast<double>(grid_->stopping.trials);
    counts.seconds_done += cell.seconds * share;
    if (!failed) counts.seconds_left += cell.seconds * (1 - share);
  }
  return counts;
}

}  // namespace headroom::verify::sweep
