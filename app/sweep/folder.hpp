#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/run_record.hpp"
#include "app/sweep/grid_file.hpp"
#include "verify/sweep/index.hpp"
#include "verify/sweep/lock.hpp"
#include "verify/sweep/sweep_plan.hpp"

namespace headroom::app {

/// The folder of a sweep: grid.toml as last run, run.json with what made it, one shard per writer under cells/, and the
/// lock files of those at work.
class SweepFolder {
 public:
  explicit SweepFolder(std::filesystem::path path) : path_(std::move(path)) {}

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path cells() const { return path_ / "cells"; }
  [[nodiscard]] std::filesystem::path grid() const { return path_ / "grid.toml"; }
  [[nodiscard]] std::filesystem::path record() const { return path_ / "run.json"; }

  /// Whether a sweep is in it. Throws input errors for a folder that holds anything else, or a sweep of a later schema.
  [[nodiscard]] bool exists() const;

  /// The digests of inputs that run.json has; empty where there is none.
  [[nodiscard]] InputDigests::Digests recorded_inputs() const;

  /// Throws an input error unless exists().
  void require() const;

  /// Makes the folder where it is missing, and proves that it can be written.
  void create() const;

  /// A new name for a shard under cells/, which no other writer has: the time, host and process are in it.
  [[nodiscard]] std::filesystem::path new_shard(verify::sweep::ShardChoice shard, int rank) const;

 private:
  std::filesystem::path path_;
};

/// Refuses to go on in a folder with a grid that finished cells of it do not belong to, or whose inputs have changed:
/// throws an input error with the difference shown.
void check_grid_fits(const SweepFolder& folder, const GridFile& file, const verify::sweep::SweepPlan& plan,
                     const verify::sweep::Index& index);

/// Writes grid.toml and run.json unless they say the same already.
void write_run(const SweepFolder& folder, const GridFile& file);

/// What run.json says of a run of a grid on this machine.
[[nodiscard]] RunRecord sweep_record(const GridFile& file);

/// JSON members that say who is writing: host, process, program, revision, processor, threads.
[[nodiscard]] std::string writer_text(int rank, int ranks, int threads);

}  // namespace headroom::app
