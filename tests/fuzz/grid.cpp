#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/sweep/grid_file.hpp"
#include "app/sweep/kinds.hpp"
#include "tests/fuzz/target.hpp"
#include "verify/sweep/index.hpp"
#include "verify/sweep/sweep_plan.hpp"

using namespace headroom;  // NOLINT(google-build-using-namespace)

namespace {

using verify::sweep::GridKey;

/// Has keys of every type and nothing behind them.
class HollowKind final : public verify::sweep::Kind {
 public:
  [[nodiscard]] std::string name() const override { return "simulate"; }
  [[nodiscard]] std::span<const GridKey> keys() const override {
    using Type = GridKey::Type;
    static const std::vector<GridKey> keys = {{"length", Type::whole, {}, "L"},
                                              {"top", Type::whole, {}, "N"},
                                              {"temperature", Type::number, 1.0, "T"},
                                              {"normalizer", Type::text, "softmax", "of weights"}};
    return keys;
  }
  [[nodiscard]] std::string grouped() const override { return "top"; }
  [[nodiscard]] std::vector<std::string> quantities() const override { return {"separable", "distance"}; }
  [[nodiscard]] bool chooses_quantities() const override { return true; }
  [[nodiscard]] Identity identify(std::span<const verify::sweep::Value> point,
                                  std::span<const std::uint64_t> groups) const override {
    if (std::get<std::string>(point[3]).empty()) throw_usage("there is no normalizer", "normalizer", "name one");
    std::string of;
    for (const std::size_t key : {0U, 2U, 3U}) of += verify::sweep::value_text(point[key]) + ' ';
    return {of, 1e-6 * static_cast<double>(groups.size())};
  }
  [[nodiscard]] std::unique_ptr<verify::sweep::CellWork> begin(std::span<const verify::sweep::Value>,
                                                               std::span<const std::uint64_t>, std::uint64_t,
                                                               const verify::sweep::Record*) const override {
    return nullptr;
  }
};

/// The lines as they are, and again with the check that makes each of them count.
std::string shard_of(std::string_view lines) {
  std::string shard(lines);
  if (!shard.empty()) shard += '\n';
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    shard += verify::sweep::checked_line(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return shard;
}

}  // namespace

namespace headroom::app {

std::unique_ptr<const verify::sweep::Kind> make_kind(const std::string& name, const std::string&,
                                                     std::shared_ptr<InputDigests>) {
  if (name != "simulate") throw_usage("there is no such kind", "kind", "simulate");
  return std::make_unique<HollowKind>();
}

}  // namespace headroom::app

/// A sweep's grid file and, behind a zero byte, a shard of its folder: planned, and compared with what is there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t most_combinations = 10000;
  static const fuzz::FileOfInput file("shard.jsonl");
  const std::string_view text = fuzz::text_of(data, size);
  const std::size_t end = std::min(text.find('\0'), text.size());
  verify::sweep::Index index;
  fuzz::loads([&] {
    const std::filesystem::path& shard = file.hold(shard_of(text.substr(std::min(end + 1, text.size()))));
    index = verify::sweep::Index(shard.parent_path(), "separable");
    for (const verify::sweep::IndexEntry& entry : index.entries()) {
      if (entry.trials > 0) (void)index.read(entry);
    }
  });
  fuzz::loads([&] {
    const app::GridFile grid = app::parse_grid(std::string(text.substr(0, end)), "grid.toml", {});
    if (verify::sweep::GridWalk::combinations(grid.grid) > most_combinations) return;
    const verify::sweep::SweepPlan plan(grid.grid, *grid.kind, false);
    (void)plan.left(index, {}, true);
    (void)plan.count(index, {});
    fuzz::require(app::grid_difference(grid.grid, grid.grid).empty());
  });
  return 0;
}
