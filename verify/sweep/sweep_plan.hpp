#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/sweep/grid.hpp"
#include "verify/sweep/index.hpp"
#include "verify/sweep/kind.hpp"
#include "verify/sweep/lock.hpp"

namespace headroom::verify::sweep {

/// A cell of a plan. 24 bytes.
struct PlannedCell {
  std::uint64_t point = 0;  ///< of the GridWalk
  std::uint64_t hash = 0;
  double seconds = 0;  ///< roughly, on one core
};

/// Groups of a cell that stand at the same number of trials and have to get further.
struct WorkItem {
  std::uint64_t point = 0;
  std::uint64_t hash = 0;
  std::uint64_t start = 0;  ///< trials they have
  double seconds = 0;       ///< roughly what is left, on one core
};

/// How far cells are. A cell counts once, by the group that is behind most.
struct Counts {
  std::uint64_t done = 0;
  std::uint64_t partial = 0;  ///< begun
  std::uint64_t missing = 0;
  std::uint64_t failed = 0;
  double seconds_done = 0;  ///< in the plan's rough estimate
  double seconds_left = 0;
  [[nodiscard]] std::uint64_t total() const { return done + partial + missing + failed; }
};

/// The cells of a grid, checked, with their keys, the most work first.
class SweepPlan {
 public:
  /// The grid and the kind must outlive the plan. Throws input errors naming the grid: no cell is left (and which
  /// conditions excluded how many), a point that cannot be, two points that are the same cell, more than
  /// combination_limit combinations unless `large`.
  SweepPlan(const Grid& grid, const Kind& kind, bool large);

  [[nodiscard]] const std::vector<PlannedCell>& cells() const { return cells_; }
  /// Cells times the groups they come with.
  [[nodiscard]] std::uint64_t values() const { return values_; }
  [[nodiscard]] const Grid& grid() const { return *grid_; }
  [[nodiscard]] const Kind& kind() const { return *kind_; }
  [[nodiscard]] GridWalk walk() const { return {*grid_, kind_->keys(), kind_->grouped()}; }

  /// Whether a group has been drawn often enough.
  [[nodiscard]] bool is_done(const IndexEntry* entry) const;

  /// What is left to do of a shard, the most work first; failed cells only with `retry_failed`. Which shard a cell
  /// belongs to depends on the grid alone: cells are dealt out in the order of their work, to and fro.
  [[nodiscard]] std::vector<WorkItem> left(const Index& index, ShardChoice shard, bool retry_failed) const;

  [[nodiscard]] Counts count(const Index& index, ShardChoice shard = {}) const;

 private:
  [[nodiscard]] bool in_shard(std::size_t rank, ShardChoice shard) const;

  const Grid* grid_;
  const Kind* kind_;
  std::vector<PlannedCell> cells_;
  std::uint64_t values_ = 0;
};

}  // namespace headroom::verify::sweep
