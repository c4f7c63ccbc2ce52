#include "app/sweep/folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>

#include "app/json_member.hpp"
#include "app/machine.hpp"
#include "app/output.hpp"
#include "app/version.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

const std::string schema_name = "headroom.sweep/";
constexpr int schema_version = 1;

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

bool SweepFolder::exists() const {
  std::error_code error;
  if (!fs::exists(path_, error)) return false;
  if (!fs::exists(record(), error)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
      const std::string name = entry.path().filename().string();
      // What a run that ended before its first cell may leave.
      if (name == "cells" || name == "grid.toml" || name.starts_with("lock") || name.starts_with(".headroom-"))
        continue;
      throw_input("the folder holds something that is no sweep: " + name, path_.string(), "name a new folder with -o");
    }
    return false;
  }
  const Json json = Json::parse(content(record()), nullptr, false);
  const std::string schema = text_member(json, "schema");
  if (!schema.starts_with(schema_name)) {
    throw_input("the folder belongs to something else" + (schema.empty() ? "" : ", " + schema), record().string(),
                "name a folder that headroom sweep made");
  }
  if (schema != schema_name + std::to_string(schema_version)) {
    throw_input("the sweep is of schema " + schema + ", which this program does not know", record().string(),
                "use the version of headroom that wrote it");
  }
  return true;
}

void SweepFolder::require() const {
  if (!exists()) throw_input("there is no sweep here", path_.string(), "name a folder that headroom sweep made");
}

InputDigests::Digests SweepFolder::recorded_inputs() const {
  const Json json = Json::parse(content(record()), nullptr, false);
  if (!json.is_object() || !json.contains("inputs") || !json["inputs"].is_object()) return {};
  InputDigests::Digests digests;
  for (const auto& [name, digest] : json["inputs"].items()) {
    if (digest.is_string()) digests[name] = digest.get<std::string>();
  }
  return digests;
}

void SweepFolder::create() const {
  create_output_folder(path_);
  create_output_folder(cells());
}

fs::path SweepFolder::new_shard(verify::sweep::ShardChoice shard, int rank) const {
  static std::atomic<unsigned> counter{0};
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char time[32];
  const std::string when(time, std::strftime(time, sizeof time, "%Y%m%dT%H%M%SZ", &parts));
  return cells() / fmt::format("{}-{}of{}-r{}-{}-{}-{}.jsonl", when, shard.index, shard.count, rank, host_name(),
                               ::getpid(), counter++);
}

void check_grid_fits(const SweepFolder& folder, const GridFile& file, const verify::sweep::SweepPlan& plan,
                     const verify::sweep::Index& index) {
  if (index.entries().empty()) return;
  check_inputs(folder.recorded_inputs(), file.inputs->all(), folder.path().string());
  const verify::sweep::Grid& grid = plan.grid();
  const GridFile before = read_grid(folder.grid());
  std::size_t fitting = 0;
  verify::sweep::GridWalk walk = plan.walk();
  for (const verify::sweep::PlannedCell& cell : plan.cells()) {
    walk.move_to(cell.point);
    for (const std::uint64_t group : walk.groups()) {
      const verify::sweep::IndexEntry* entry = index.find(cell.hash, grid.seed, group);
      if (entry != nullptr && entry->trials <= grid.stopping.trials) ++fitting;
    }
  }
  const bool same_values = before.grid.quantities == grid.quantities && before.grid.kind == grid.kind;
  const verify::sweep::Stopping& old = before.grid.stopping;
  const bool same_target = old.quantity == grid.stopping.quantity && old.least == grid.stopping.least &&
                           grid.stopping.standard_error <= old.standard_error;
  if (fitting == index.entries().size() && same_values && (same_target || old.quantity.empty())) return;
  std::string difference = grid_difference(before.grid, grid);
  if (difference.empty()) difference = "cells were merged from runs with other seeds";
  throw_input(fmt::format("{} of {} results in the folder would not belong to this grid: {}",
                          same_values && same_target ? index.entries().size() - fitting : index.entries().size(),
                          index.entries().size(), difference),
              folder.path().string(),
              "an axis may gain values and trials may rise; for anything else name a new folder");
}

RunRecord sweep_record(const GridFile& file) {
  RunRecord record(schema_name + std::to_string(schema_version));
  record.set("revision", build_revision());
  record.set("processor", processor_name());
  record.set("host", host_name());
  record.set("kind", file.grid.kind);
  record.set("seed", file.grid.seed);
  if (const InputDigests::Digests inputs = file.inputs->all(); !inputs.empty()) record.set("inputs", inputs);
  return record;
}

void write_run(const SweepFolder& folder, const GridFile& file) {
  std::error_code error;
  const bool same = fs::exists(folder.record(), error) && content(folder.grid()) == file.text &&
                    folder.recorded_inputs() == file.inputs->all();
  if (same) return;
  write_file(folder.grid(), file.text);
  sweep_record(file).write(folder.record());
}

std::string writer_text(int rank, int ranks, int threads) {
  const Json json = {{"headroom", version()},
                     {"revision", build_revision()},
                     {"compiler", build_compiler()},
                     {"host", host_name()},
                     {"pid", ::getpid()},
                     {"processor", processor_name()},
                     {"rank", rank},
                     {"ranks", ranks},
                     {"threads", threads}};
  const std::string text = json.dump();
  return text.substr(1, text.size() - 2);
}

}  // namespace headroom::app
