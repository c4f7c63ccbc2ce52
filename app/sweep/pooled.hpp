#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "verify/sweep/index.hpp"
#include "verify/sweep/sweep_plan.hpp"

namespace headroom::app {

/// What a sweep knows of one group of a cell: all its seeds pooled, from the lowest seed to the highest, so that the
/// bytes do not depend on who computed what.
struct PooledGroup {
  std::uint64_t point = 0;
  std::uint64_t cell = 0;
  std::uint64_t group = 0;
  bool done = false;  ///< under the grid's seed
  std::vector<std::pair<std::string, verify::Moments>> values;
  std::vector<std::pair<std::string, std::string>> said;  ///< of the lowest seed
};

/// Calls `visit` for every group of every cell that has trials, in the order of the grid; the walk is at its point.
void for_each_pooled(const verify::sweep::SweepPlan& plan, const verify::sweep::Index& index,
                     const std::function<void(const verify::sweep::GridWalk&, const PooledGroup&)>& visit);

/// The cells of a plan in the order of the grid.
[[nodiscard]] std::vector<verify::sweep::PlannedCell> in_grid_order(const verify::sweep::SweepPlan& plan);

/// The values of the keys that the grid gives more than one value, e.g. "length 64, top 4, "; group 0 is not shown.
[[nodiscard]] std::string cell_label(const verify::sweep::SweepPlan& plan, const verify::sweep::GridWalk& walk,
                                     std::uint64_t group);

/// The seeds of an index, ascending.
[[nodiscard]] std::vector<std::uint64_t> seeds_of(const verify::sweep::Index& index);

}  // namespace headroom::app
