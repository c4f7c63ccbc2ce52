#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::app {

/// How far a sweep is, as text or JSON (schema headroom.status/1): cells done, begun, missing and failed, who is at
/// work, the time left (as the process at work tells, else from a short calibration), failures and damaged shards.
[[nodiscard]] std::string status_text(const std::string& folder);
[[nodiscard]] std::string status_json(const std::string& folder);

/// Pools sweeps into a new folder: every cell and seed once, with the most trials any of them has, in the order of the
/// grid, so that the bytes of its one shard depend on what was computed only. Throws input errors when no grid among
/// theirs holds all results, when two have different results for the same trials, or the new folder is not empty.
void merge_sweeps(const std::vector<std::string>& folders, const std::string& into);

/// Writes every value of a sweep to a CSV, SQLite or HDF5 file, by its extension (.csv; .sqlite, .db; .h5, .hdf5),
/// atomically. A row per cell, group and quantity: the keys of the cell, count, mean, standard_error and
/// squared_deviations. In SQLite they are the table `results`, in HDF5 a group of that name with a dataset per column.
void export_sweep(const std::string& folder, const std::filesystem::path& to);

/// The values of two sweeps that differ beyond their errors, at a family-wise level of 0.01 over all that both have, as
/// text. Compared by z = |difference|/sqrt(se² + se²), two-sided, after Holm.
struct SweepDifference {
  std::string text;
  std::size_t different = 0;
};
[[nodiscard]] SweepDifference diff_sweeps(const std::string& first, const std::string& second);

}  // namespace headroom::app
