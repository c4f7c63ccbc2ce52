#pragma once

#include <memory>

#include "app/sweep/folder.hpp"

namespace headroom::app {

/// A sweep read back from its folder.
struct OpenedSweep {
  SweepFolder folder;
  GridFile file;
  std::unique_ptr<const verify::sweep::SweepPlan> plan;
  verify::sweep::Index index;
};

/// Throws input errors when there is no sweep, or one that cannot be read. Damaged shards are told on standard error.
[[nodiscard]] std::unique_ptr<const OpenedSweep> open_sweep(const std::string& path);

/// Warns of every damaged shard on standard error.
void tell_damages(const verify::sweep::Index& index);

}  // namespace headroom::app
