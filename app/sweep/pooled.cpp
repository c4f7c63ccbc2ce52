#include "app/sweep/pooled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace headroom::app {
namespace {

using verify::sweep::GroupValues;
using verify::sweep::Index;
using verify::sweep::IndexEntry;
using verify::sweep::PlannedCell;
using verify::sweep::Record;

// Keeps the record that was read last: the groups of a cell stand mostly in one.
class LastRecord {
 public:
  explicit LastRecord(const Index& index) : index_(index) {}

  const Record& of(const IndexEntry& entry) {
    if (!record_ || entry.shard != shard_ || entry.offset != offset_) record_ = index_.read(entry);
    shard_ = entry.shard;
    offset_ = entry.offset;
    return *record_;
  }

 private:
  const Index& index_;
  std::optional<Record> record_;
  std::uint32_t shard_ = 0;
  std::uint64_t offset_ = 0;
};

void pool(PooledGroup& into, const Record& record) {
  const auto of_group = std::find_if(record.groups.begin(), record.groups.end(),
                                     [&](const GroupValues& group) { return group.group == into.group; });
  if (into.values.empty()) {
    into.values = of_group->values;
    into.said = record.said;
    return;
  }
  for (auto& [name, moments] : into.values) {
    for (const auto& [other, more] : of_group->values) {
      if (other == name) moments.merge(more);
    }
  }
}

}  // namespace

std::vector<PlannedCell> in_grid_order(const verify::sweep::SweepPlan& plan) {
  std::vector<PlannedCell> cells = plan.cells();
  std::sort(cells.begin(), cells.end(), [](const PlannedCell& a, const PlannedCell& b) { return a.point < b.point; });
  return cells;
}

std::vector<std::uint64_t> seeds_of(const Index& index) {
  std::vector<std::uint64_t> seeds;
  for (const IndexEntry& entry : index.entries()) {
    if (std::find(seeds.begin(), seeds.end(), entry.seed) == seeds.end()) seeds.push_back(entry.seed);
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

std::string cell_label(const verify::sweep::SweepPlan& plan, const verify::sweep::GridWalk& walk, std::uint64_t group) {
  std::string text;
  const auto& axes = plan.grid().axes;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (axes[k].name == plan.kind().grouped()) {
      if (group != 0) text += fmt::format("{} {}, ", axes[k].name, group);
    } else if (axes[k].values.size() > 1) {
      text += fmt::format("{} {}, ", axes[k].name, verify::sweep::value_text(walk.values()[k]));
    }
  }
  return text;
}

void for_each_pooled(const verify::sweep::SweepPlan& plan, const Index& index,
                     const std::function<void(const verify::sweep::GridWalk&, const PooledGroup&)>& visit) {
  const std::vector<std::uint64_t> seeds = seeds_of(index);
  verify::sweep::GridWalk walk = plan.walk();
  LastRecord last(index);
  for (const PlannedCell& cell : in_grid_order(plan)) {
    walk.move_to(cell.point);
    for (const std::uint64_t group : walk.groups()) {
      PooledGroup pooled{cell.point, cell.hash, group, false, {}, {}};
      for (const std::uint64_t seed : seeds) {
        const IndexEntry* entry = index.find(cell.hash, seed, group);
        if (entry == nullptr || entry->trials == 0) continue;
        pool(pooled, last.of(*entry));
        if (seed == plan.grid().seed) pooled.done = plan.is_done(entry);
      }
      if (!pooled.values.empty() || !pooled.said.empty()) visit(walk, pooled);
    }
  }
}

}  // namespace headroom::app
