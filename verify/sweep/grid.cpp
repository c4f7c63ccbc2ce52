#include "verify/sweep/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace headroom::verify::sweep {

std::uint64_t Stopping::next_stop(std::uint64_t done) const {
  if (quantity.empty()) return trials;
  for (int k = 0;; ++k) {
    const double stop = std::ceil(static_cast<double>(least) * std::exp2(k / 4) * std::sqrt(std::sqrt(1 << (k % 4))));
    if (!(stop < static_cast<double>(trials))) return trials;
    if (stop > static_cast<double>(done)) return static_cast<std::uint64_t>(stop);
  }
}

GridWalk::GridWalk(const Grid& grid, std::span<const GridKey> keys, const std::string& grouped) : grid_(&grid) {
  std::vector<Expression::Name> names;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    names.push_back({keys[k].name, keys[k].type == GridKey::Type::text});
    const GridAxis& axis = grid.axes[k];
    values_.push_back(axis.values.front());
    if (keys[k].name == grouped) {
      grouped_ = k;
    } else {
      points_ *= axis.values.size();
    }
  }
  at_.assign(keys.size(), 0);
  try {
    for (const std::string& text : grid.exclude) conditions_.emplace_back(text, names);
  } catch (const Error& error) {
    throw_input(error.what(), grid.source, "");
  }
  excluded_.assign(conditions_.size(), 0);
}

std::uint64_t GridWalk::combinations(const Grid& grid) {
  std::uint64_t product = 1;
  for (const GridAxis& axis : grid.axes) {
    if (__builtin_mul_overflow(product, axis.values.size(), &product)) return std::numeric_limits<std::uint64_t>::max();
  }
  return product;
}

bool GridWalk::excluded_here() {
  for (std::size_t c = 0; c < conditions_.size(); ++c) {
    if (!conditions_[c].holds(values_)) continue;
    ++excluded_[c];
    return true;
  }
  return false;
}

void GridWalk::move_to(std::uint64_t point) {
  // The last axis runs fastest.
  for (std::size_t k = grid_->axes.size(); k-- > 0;) {
    if (k == grouped_) continue;
    const std::vector<Value>& values = grid_->axes[k].values;
    const std::size_t index = point % values.size();
    point /= values.size();
    if (index == at_[k]) continue;
    at_[k] = index;
    values_[k] = values[index];
  }
  groups_.clear();
  if (grouped_ == none) {
    if (!excluded_here()) groups_.push_back(0);
    return;
  }
  for (const Value& value : grid_->axes[grouped_].values) {
    values_[grouped_] = value;
    if (!excluded_here()) groups_.push_back(static_cast<std::uint64_t>(std::get<double>(value)));
  }
  std::sort(groups_.begin(), groups_.end());
}

std::vector<double> linear_range(double from, double to, std::size_t count) {
  std::vector<double> values;
  for (std::size_t k = 0; k + 1 < count; ++k) {
    values.push_back(from + (to - from) * (static_cast<double>(k) / static_cast<double>(count - 1)));
  }
  values.push_back(to);
  return values;
}

std::vector<double> log_range(double from, double to, std::size_t count) {
  std::vector<double> values = linear_range(std::log(from), std::log(to), count);
  // Thirteen digits, so that decades are decades and a cell has one hash whatever the library's exp rounds to.
  for (double& value : values) value = std::stod(fmt::format("{:.13g}", std::exp(value)));
  if (count > 1) values.front() = from;
  values.back() = to;
  return values;
}

std::vector<double> powers_of_two(double from, double to) {
  std::vector<double> values;
  for (double value = std::exp2(std::ceil(std::log2(from))); value <= to; value *= 2) values.push_back(value);
  return values;
}

std::string value_text(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

}  // namespace headroom::verify::sweep
