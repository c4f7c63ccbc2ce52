#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verify/sweep/expression.hpp"

namespace headroom::verify::sweep {

/// A key that a cell has: what an axis or a constant of a grid may be about.
struct GridKey {
  enum class Type { whole, number, text };
  std::string name;
  Type type = Type::number;
  std::optional<Value> fallback;  ///< taken when the grid does not name it; nothing: it must
  std::string meaning;
};

/// The values of a key, ascending where they are a range. A constant is an axis of one value.
struct GridAxis {
  std::string name;
  std::vector<Value> values;
};

/// When a cell has been drawn often enough.
struct Stopping {
  std::uint64_t trials = 0;  ///< per cell; with a target the cap
  std::string quantity;      ///< the target is about this one; empty: no target
  double standard_error = 0;
  std::uint64_t least = 256;  ///< trials before the target is looked at

  /// With a target it is looked at after so many trials: least·2^(k/4), and the cap. A fixed list, so that a cell stops
  /// at the same trial whatever interrupted it. The first of them beyond `done`; without a target `trials`.
  [[nodiscard]] std::uint64_t next_stop(std::uint64_t done) const;

  bool operator==(const Stopping&) const = default;
};

/// What a sweep runs over: every combination of the axes' values that no condition excludes.
struct Grid {
  std::string kind;
  std::vector<GridAxis> axes;  ///< one per key, in the order of the kind's keys
  std::vector<std::string> exclude;
  Stopping stopping;
  std::uint64_t seed = 1;
  std::string quantities = "cheap";
  std::string source;  ///< what messages call it: the file
};

/// The most combinations that are taken without being asked twice.
inline constexpr std::uint64_t combination_limit = 10'000'000;

/// The points of a grid, one after the other. The `grouped` key's values are not points of their own: a point comes
/// with those of its values that are not excluded, for what they measure is measured in one go.
class GridWalk {
 public:
  /// @param grouped name of such a key, of whole numbers; empty: none
  /// Throws input errors for conditions that cannot be read.
  GridWalk(const Grid& grid, std::span<const GridKey> keys, const std::string& grouped);

  /// Combinations of all axes, the excluded ones too; the largest std::uint64_t stands for more than that.
  [[nodiscard]] static std::uint64_t combinations(const Grid& grid);

  /// Points before exclusion: ids are below this.
  [[nodiscard]] std::uint64_t points() const { return points_; }

  /// Goes to a point.
  void move_to(std::uint64_t point);

  /// The values at the point, in the order of the keys; the grouped key's is any of its.
  [[nodiscard]] std::span<const Value> values() const { return values_; }

  /// Of the grouped key, those that are not excluded, ascending; {0} when nothing is grouped. Empty: excluded.
  [[nodiscard]] const std::vector<std::uint64_t>& groups() const { return groups_; }

  /// Combinations that each condition has excluded so far, in the order of the grid.
  [[nodiscard]] std::span<const std::uint64_t> excluded() const { return excluded_; }

 private:
  [[nodiscard]] bool excluded_here();

  const Grid* grid_;
  std::vector<Expression> conditions_;
  std::vector<std::uint64_t> excluded_;
  std::vector<Value> values_;
  std::vector<std::size_t> at_;  // the value of each axis that values_ has
  std::vector<std::uint64_t> groups_;
  std::size_t grouped_ = none;
  std::uint64_t points_ = 1;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

/// Ranges of an axis. Both ends belong to it.
[[nodiscard]] std::vector<double> linear_range(double from, double to, std::size_t count);
/// Equal ratios; from, to > 0.
[[nodiscard]] std::vector<double> log_range(double from, double to, std::size_t count);
/// Every power of two in [from, to].
[[nodiscard]] std::vector<double> powers_of_two(double from, double to);

/// A value as files and messages show it: the shortest text that reads back as the same number, or the text.
[[nodiscard]] std::string value_text(const Value& value);

}  // namespace headroom::verify::sweep
