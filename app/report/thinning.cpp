#include "app/report/thinning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headroom::app {
namespace {

constexpr double kNameShare = 0.25;

// Whether values of an axis are names, of which none stands between two others.
bool is_of_names(const ThinnedAxis& axis) {
  return axis.name == "layer" || axis.name == "head" || std::holds_alternative<std::string>(axis.values.front());
}

std::vector<Cell> halved(const std::vector<Cell>& values) {
  std::vector<Cell> half;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 2 == 0 || i + 1 == values.size()) half.push_back(values[i]);
  }
  return half;
}

}  // namespace

double GridSample::Axis::length() const {
  return static_cast<double>(kept.size()) * (is_of_names(all) ? kNameShare : 1);
}

GridSample::GridSample(std::vector<ThinnedAxis> axes, std::size_t cells) : cells_(cells) {
  for (ThinnedAxis& axis : axes) {
    std::vector<Cell> kept = axis.values;
    std::set<Cell> among(kept.begin(), kept.end());
    axes_.push_back({std::move(axis), std::move(kept), std::move(among)});
  }
}

bool GridSample::keeps(const std::vector<Cell>& row) const {
  return std::all_of(axes_.begin(), axes_.end(),
                     [&](const Axis& axis) { return axis.among.contains(row[axis.all.column]); });
}

// False when every axis has its two ends left.
bool GridSample::thin() {
  Axis* longest = nullptr;
  for (Axis& axis : axes_) {
    if (axis.kept.size() > 2 && (longest == nullptr || axis.length() > longest->length())) longest = &axis;
  }
  if (longest == nullptr) return false;
  longest->kept = halved(longest->kept);
  longest->among = {longest->kept.begin(), longest->kept.end()};
  std::erase_if(rows_,
                [&](const std::vector<Cell>& row) { return !longest->among.contains(row[longest->all.column]); });
  return true;
}

void GridSample::add(std::vector<Cell> row) {
  if (!keeps(row)) return;
  width_ = std::max(width_, row.size());
  rows_.push_back(std::move(row));
  while (rows_.size() * width_ > cells_ && thin()) {
  }
}

std::vector<std::string> GridSample::notes(const std::string& of, const std::string& whole) const {
  std::vector<std::string> notes;
  for (const Axis& axis : axes_) {
    if (axis.kept.size() == axis.all.values.size()) continue;
    notes.push_back(fmt::format("{} is too large for a page: {} of its {} values of {} are shown, {} has all", of,
                                axis.kept.size(), axis.all.values.size(), axis.all.name, whole));
  }
  return notes;
}

Thinned thinned(const Table& table, const std::vector<std::string>& names, std::size_t cells) {
  const std::size_t width = table.columns().size();
  if (table.rows() * width <= cells) return {table, {}};
  std::vector<ThinnedAxis> axes;
  for (const std::string& name : names) {
    const auto at = std::find_if(table.columns().begin(), table.columns().end(),
                                 [&](const Column& column) { return column.name == name; });
    ThinnedAxis axis{name, static_cast<std::size_t>(at - table.columns().begin()), {}};
    std::set<Cell> values;
    for (std::size_t row = 0; row < table.rows(); ++row) values.insert(table.cell(row, axis.column));
    axis.values = {values.begin(), values.end()};
    axes.push_back(std::move(axis));
  }
  GridSample sample(std::move(axes), cells);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<Cell> copy;
    for (std::size_t c = 0; c < width; ++c) copy.push_back(table.cell(row, c));
    sample.add(std::move(copy));
  }
  Thinned result{Table({table.columns().begin(), table.columns().end()}, table.source()),
                 sample.notes(table.source(), "the file")};
  for (std::vector<Cell>& row : sample.take_rows()) result.table.add(std::move(row));
  return result;
}

}  // namespace headroom::app
