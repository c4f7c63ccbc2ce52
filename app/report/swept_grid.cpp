#include "app/report/swept_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "app/report/thinning.hpp"
#include "app/sweep/opened.hpp"
#include "app/sweep/pooled.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;
namespace sweep = verify::sweep;

Cell cell_of(const sweep::Value& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  return std::get<std::string>(value);
}

// What cells have, as they bring it along: each name once, a number or a text.
class Found {
 public:
  struct Name {
    std::string name;
    bool text = false;
    auto operator<=>(const Name&) const = default;
  };
  std::size_t place(const std::string& name, bool text) {
    const auto [found, fresh] = places_.try_emplace({name, text}, names_.size());
    if (fresh) names_.push_back({name, text});
    return found->second;
  }
  [[nodiscard]] const std::vector<Name>& names() const { return names_; }

 private:
  std::map<Name, std::size_t> places_;
  std::vector<Name> names_;
};

// The number right after `before` in a text, moved behind it; 0 for none.
std::size_t number_after(std::string_view& text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + before.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc{} ? number : 0;
}

// Shards are called TIME-IofN-…: parts of which there is no file although there are of others.
std::string missing_parts(const sweep::Index& index) {
  std::map<std::size_t, std::set<std::size_t>> seen;
  for (const fs::path& shard : index.shards()) {
    const std::string name = shard.filename().string();
    std::string_view rest = name;
    const std::size_t part = number_after(rest, "-");
    const std::size_t of = number_after(rest, "of");
    if (part >= 1 && part <= of && of <= 100'000) seen[of].insert(part);
  }
  std::string text;
  for (const auto& [of, parts] : seen) {
    for (std::size_t part = 1; part <= of && parts.size() < of; ++part) {
      if (!parts.contains(part)) text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", part, of);
    }
  }
  return text;
}

void note_state(ResultFolder& folder, const OpenedSweep& opened, const sweep::Counts& counts) {
  for (const std::string& damage : opened.index.damages()) folder.miss("a part of a shard", damage);
  if (counts.missing > 0) {
    const std::string parts = missing_parts(opened.index);
    folder.miss(
        fmt::format("{} of {} cells", counts.missing, counts.total()),
        parts.empty() ? "not computed yet" : "not computed yet, or in a shard that is not here: no file of " + parts);
  }
  if (counts.failed > 0) {
    const auto& failures = opened.index.failures();
    folder.miss(
        fmt::format("{} of {} cells", counts.failed, counts.total()),
        failures.empty() ? "they failed" : fmt::format("they failed, e.g. {}: {}", failures[0].of, failures[0].why));
  }
  if (counts.partial > 0) {
    folder.note(
        fmt::format("{} of {} cells are begun, and shown with the trials they have", counts.partial, counts.total()));
  }
  const auto holders = sweep::FolderLock::holders(folder.path());
  if (std::any_of(holders.begin(), holders.end(), [](const sweep::Holder& holder) { return holder.alive; })) {
    folder.note("the sweep is being computed; this is what there was");
  }
  const std::size_t seeds = seeds_of(opened.index).size();
  if (seeds > 1) folder.note(fmt::format("the trials of {} seeds are pooled", seeds));
}

// Nothing where a part without which cells have no place cannot be read.
std::unique_ptr<const OpenedSweep> open(ResultFolder& folder) {
  auto opened = std::make_unique<OpenedSweep>(OpenedSweep{SweepFolder(folder.path()), {}, nullptr, {}});
  std::error_code ignored;
  if (!fs::is_directory(opened->folder.cells(), ignored)) {
    folder.miss("cells/", "not there; nothing was computed yet, or its shards were not copied along");
    return nullptr;
  }
  try {
    opened->file = read_grid(opened->folder.grid(), opened->folder.recorded_inputs());
    opened->plan = std::make_unique<const sweep::SweepPlan>(opened->file.grid, *opened->file.kind, true);
  } catch (const Error& error) {
    folder.miss("grid.toml", error.what());
    return nullptr;
  }
  opened->index = sweep::Index(opened->folder.cells(), opened->file.grid.stopping.quantity);
  return opened;
}

// What is measured may be called like an axis.
std::string column_name(const std::string& name, const std::set<std::string>& taken) {
  std::string free = name;
  while (taken.contains(free) || taken.contains(free + "_se")) free = "measured " + free;
  return free;
}

class GridReader {
 public:
  GridReader(const OpenedSweep& opened, std::size_t cells) : opened_(opened), sample_(axes(), cells) {}

  void read() {
    for_each_pooled(*opened_.plan, opened_.index,
                    [&](const sweep::GridWalk& walk, const PooledGroup& group) { sample_.add(row_of(walk, group)); });
  }

  [[nodiscard]] SweptGrid result(ResultFolder& folder) {
    std::vector<Column> columns;
    std::vector<std::string> axis_names;
    std::set<std::string> taken = {"trials"};
    const sweep::Grid& grid = opened_.plan->grid();
    for (const std::size_t key : varying_) {
      const bool text = std::holds_alternative<std::string>(grid.axes[key].values.front());
      columns.push_back({grid.axes[key].name, text ? Column::Kind::text : Column::Kind::number});
      axis_names.push_back(grid.axes[key].name);
      taken.insert(grid.axes[key].name);
    }
    columns.push_back({"trials"});
    std::vector<std::string> quantities;
    std::vector<std::string> said;
    for (const Found::Name& found : found_.names()) {
      const std::string name = column_name(found.name, taken);
      taken.insert({name, name + "_se"});
      columns.push_back({name, found.text ? Column::Kind::text : Column::Kind::optional_number});
      if (!found.text) columns.push_back({name + "_se", Column::Kind::optional_number});
      (found.text ? said : quantities).push_back(name);
    }
    SweptGrid result{std::move(axis_names), constants(), std::move(quantities),
                     std::move(said),       {},          Table(columns, folder.path().filename().string())};
    for (const std::string& note : sample_.notes("the sweep", "the folder")) folder.note(note);
    for (std::vector<Cell>& row : sample_.take_rows()) result.table.add(complete(std::move(row)));
    return result;
  }

 private:
  std::vector<ThinnedAxis> axes() {
    std::vector<ThinnedAxis> axes;
    const sweep::Grid& grid = opened_.plan->grid();
    for (std::size_t key = 0; key < grid.axes.size(); ++key) {
      if (grid.axes[key].values.size() < 2) continue;
      ThinnedAxis axis{grid.axes[key].name, varying_.size(), {}};
      for (const sweep::Value& value : grid.axes[key].values) axis.values.push_back(cell_of(value));
      axes.push_back(std::move(axis));
      varying_.push_back(key);
    }
    return axes;
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> constants() const {
    std::vector<std::pair<std::string, std::string>> constants;
    for (const sweep::GridAxis& axis : opened_.plan->grid().axes) {
      if (axis.values.size() != 1) continue;
      std::string text = sweep::value_text(axis.values.front());
      if (!text.empty()) constants.emplace_back(axis.name, std::move(text));
    }
    return constants;
  }

  // Axes, trials, then two cells for everything that was found so far: mean and error, or a text and nothing.
  std::vector<Cell> row_of(const sweep::GridWalk& walk, const PooledGroup& group) {
    std::vector<Cell> row;
    const sweep::Grid& grid = opened_.plan->grid();
    for (const std::size_t key : varying_) {
      const bool grouped = grid.axes[key].name == opened_.plan->kind().grouped();
      row.push_back(grouped ? Cell(static_cast<double>(group.group)) : cell_of(walk.values()[key]));
    }
    const std::size_t fixed = row.size() + 1;
    row.emplace_back(0.0);
    const auto put = [&](const std::string& name, Cell value, Cell error) {
      const std::size_t at = fixed + 2 * found_.place(name, std::holds_alternative<std::string>(value));
      if (row.size() < at + 2) row.resize(at + 2);
      row[at] = std::move(value);
      row[at + 1] = std::move(error);
    };
    std::uint64_t trials = 0;
    for (const auto& [name, moments] : group.values) {
      put(name, moments.mean, moments.count > 1 ? Cell(moments.standard_error()) : Cell());
      trials = std::max(trials, moments.count);
    }
    row[fixed - 1] = static_cast<double>(trials);
    for (const auto& [name, text] : group.said) put(name, text, {});
    return row;
  }

  // A row as row_of() made it, with a cell in every column.
  [[nodiscard]] std::vector<Cell> complete(std::vector<Cell> row) const {
    const std::size_t fixed = varying_.size() + 1;
    row.resize(fixed + 2 * found_.names().size());
    std::vector<Cell> whole(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(fixed));
    for (std::size_t i = 0; i < found_.names().size(); ++i) {
      Cell& value = row[fixed + 2 * i];
      if (found_.names()[i].text) {
        whole.push_back(std::holds_alternative<std::string>(value) ? std::move(value) : Cell(std::string()));
      } else {
        whole.push_back(std::move(value));
        whole.push_back(std::move(row[fixed + 2 * i + 1]));
      }
    }
    return whole;
  }

  const OpenedSweep& opened_;
  std::vector<std::size_t> varying_;  // keys with several values
  Found found_;
  GridSample sample_;
};

}  // namespace

std::optional<SweptGrid> swept_grid(ResultFolder& folder, std::size_t cells) {
  const auto opened = open(folder);
  if (!opened) return std::nullopt;
  GridReader reader(*opened, cells);
  reader.read();
  SweptGrid grid = reader.result(folder);
  grid.counts = opened->plan->count(opened->index);
  note_state(folder, *opened, grid.counts);
  return grid;
}

Table swept_records(ResultFolder& folder, std::size_t cells) {
  Table table({{"cell", Column::Kind::text},
               {"group"},
               {"seed"},
               {"trials"},
               {"quantity", Column::Kind::text},
               {"mean"},
               {"se", Column::Kind::optional_number}},
              "cells/");
  const fs::path shards = SweepFolder(folder.path()).cells();
  std::error_code ignored;
  if (!fs::is_directory(shards, ignored)) return table;
  const sweep::Index index(shards);
  for (const std::string& damage : index.damages()) folder.miss("a part of a shard", damage);
  for (const sweep::IndexEntry& entry : index.entries()) {
    if (entry.trials == 0) continue;
    if (table.rows() * table.columns().size() > cells) {
      folder.note("there are too many records for a page; the first ones are shown");
      break;
    }
    const sweep::Record record = index.read(entry);
    for (const sweep::GroupValues& group : record.groups) {
      if (group.group != entry.group) continue;
      for (const auto& [name, moments] : group.values) {
        Cell error = moments.count > 1 ? Cell(moments.standard_error()) : Cell();
        table.add({record.of, static_cast<double>(group.group), static_cast<double>(record.seed),
                   static_cast<double>(record.trials), name, moments.mean, std::move(error)});
      }
    }
  }
  return table;
}

}  // namespace headroom::app
