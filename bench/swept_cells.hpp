#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "app/sweep/grid_file.hpp"
#include "verify/sweep/sweep_plan.hpp"

namespace headroom::bench {

/// A grid and its plan, nothing of which has been computed.
class SweptCells {
 public:
  /// Throws what reading and planning throw.
  explicit SweptCells(std::string grid);

  [[nodiscard]] const verify::sweep::SweepPlan& plan() const { return *plan_; }
  [[nodiscard]] const app::GridFile& file() const { return file_; }

 private:
  app::GridFile file_;
  std::unique_ptr<const verify::sweep::SweepPlan> plan_;
};

/// The text of a grid of `count` cells alike, each of about `seconds` on one of the threads of bare_loop().
[[nodiscard]] std::string equal_cells(std::size_t count, double seconds);

/// Seconds of every cell's trials in a loop over the threads of OpenMP, with nothing shared, saved or looked up.
[[nodiscard]] double bare_loop(const SweptCells& cells);

/// Seconds of the same by a sweep, from the plan to the last byte on the disk. @param folder empty, for the shard
[[nodiscard]] double sweep_loop(const SweptCells& cells, const std::filesystem::path& folder);

}  // namespace headroom::bench
