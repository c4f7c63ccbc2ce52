#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "app/table.hpp"

namespace headroom::app {

/// An axis of a grid whose rows are thinned: the column that holds it, and all its values in their order.
struct ThinnedAxis {
  std::string name;
  std::size_t column = 0;
  std::vector<Cell> values;
};

/// Rows over a grid, cut down to at most so many cells while they come, so that no more than these are ever held.
///
/// No row is picked by chance: the axis with the most values loses every second one, never its first or last, until the
/// rest fits. So every row that stays is exactly a row of the file, and which ones stay does not depend on their order.
/// Texts, layers and heads cannot be read between, as other numbers can: an axis of theirs counts as a quarter as long
/// as it is.
class GridSample {
 public:
  /// @param axes those that may be thinned first coming first among equals
  GridSample(std::vector<ThinnedAxis> axes, std::size_t cells);

  /// Rows may grow wider; the widest so far decides how many fit. Their axes' cells are among the axes' values.
  void add(std::vector<Cell> row);

  /// In the order they were added.
  [[nodiscard]] std::vector<std::vector<Cell>> take_rows() { return std::move(rows_); }

  /// What was left out, one sentence per axis. @param of what is too large, @param whole what has all
  [[nodiscard]] std::vector<std::string> notes(const std::string& of, const std::string& whole) const;

 private:
  struct Axis {
    ThinnedAxis all;
    std::vector<Cell> kept;
    std::set<Cell> among;  // the same, to look up
    [[nodiscard]] double length() const;
  };
  [[nodiscard]] bool keeps(const std::vector<Cell>& row) const;
  [[nodiscard]] bool thin();

  std::vector<Axis> axes_;
  std::size_t cells_;
  std::size_t width_ = 1;
  std::vector<std::vector<Cell>> rows_;
};

/// A table cut down to at most `cells` cells.
struct Thinned {
  Table table;
  std::vector<std::string> notes;  ///< what was left out, one sentence per axis
};

/// @param axes columns whose values make the grid
[[nodiscard]] Thinned thinned(const Table& table, const std::vector<std::string>& axes, std::size_t cells);

}  // namespace headroom::app
