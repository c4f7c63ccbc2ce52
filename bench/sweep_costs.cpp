#include "bench/sweep_costs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <vector>

#include "app/stopwatch.hpp"
#include "app/sweep/pooled.hpp"
#include "bench/scratch_folder.hpp"
#include "bench/swept_cells.hpp"
#include "verify/sweep/index.hpp"

namespace headroom::bench {
namespace {

using verify::sweep::Record;

// A record as a cell of this kind has, with values that take all their digits.
std::vector<Record> records_of(const SweptCells& cells) {
  const verify::sweep::Kind& kind = cells.plan().kind();
  const std::vector<std::string> quantities = kind.quantities();
  verify::sweep::GridWalk walk = cells.plan().walk();
  std::vector<Record> records;
  for (const verify::sweep::PlannedCell& cell : cells.plan().cells()) {
    walk.move_to(cell.point);
    Record& record = records.emplace_back();
    record.of = kind.identify(walk.values(), walk.groups()).of;
    record.seed = 1;
    record.trials = cells.plan().grid().stopping.trials;
    for (const std::uint64_t group : walk.groups()) {
      verify::sweep::GroupValues& values = record.groups.emplace_back();
      values.group = group;
      for (const std::string& name : quantities) {
        values.values.emplace_back(name, verify::Moments{record.trials, 1 / static_cast<double>(records.size() + 2),
                                                         1 / static_cast<double>(records.size() + 6)});
      }
    }
  }
  return records;
}

}  // namespace

StoreCosts store_costs(std::size_t cells) {
  const auto each = static_cast<double>(cells);
  StoreCosts costs;
  app::Stopwatch watch;
  const SweptCells swept(
      fmt::format("trials = 1000\n[axes]\ntemperature = {{from = 1, to = 2, count = {}}}\n[constants]\nlength = 64\n"
                  "dim = 16\ntop = 4\n",
                  cells));
  costs.plan = watch.lap() / each;
  const std::vector<Record> records = records_of(swept);
  const ScratchFolder folder;
  const std::filesystem::path shards = folder.file("cells");
  std::filesystem::create_directory(shards);
  {
    verify::sweep::ShardWriter writer(shards / "one.jsonl", "");
    watch.lap();
    for (const Record& record : records) writer.append(record_line(record));
    writer.sync();
    costs.append = watch.lap() / each;
  }
  costs.bytes = static_cast<double>(std::filesystem::file_size(shards / "one.jsonl")) / each;
  watch.lap();
  const verify::sweep::Index index(shards);
  costs.read = watch.lap() / each;
  std::size_t pooled = 0;
  app::for_each_pooled(swept.plan(), index, [&](const auto&, const app::PooledGroup& group) {
    if (!group.values.empty()) ++pooled;
  });
  costs.pool = watch.lap() / each;
  if (pooled != cells) throw std::runtime_error("the records did not come back");
  return costs;
}

}  // namespace headroom::bench
