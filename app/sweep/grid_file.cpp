#include "app/sweep/grid_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "app/sweep/kinds.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;
using verify::sweep::Grid;
using verify::sweep::GridAxis;
using verify::sweep::GridKey;
using verify::sweep::Value;

constexpr double largest_whole = 9007199254740992;  // 2^53
constexpr std::size_t longest_axis = 1'000'000;

class GridReader {
 public:
  explicit GridReader(const std::string& source) : source_(source) {}

  GridFile read(std::string text, InputDigests::Digests known) {
    toml::table document;
    try {
      document = toml::parse(text, source_);
    } catch (const toml::parse_error& error) {
      throw_input(fmt::format("line {}: {}", error.source().begin.line, error.description()), source_,
                  "a grid is a TOML file; docs/sweeps.md has examples");
    }
    check_names(document, {"kind", "seed", "trials", "target", "quantities", "exclude", "axes", "constants"}, "key");
    GridFile file;
    file.grid.source = source_;
    file.grid.kind = text_at(document, "kind").value_or("simulate");
    if (const auto quantities = text_at(document, "quantities")) file.grid.quantities = *quantities;
    file.inputs = std::make_shared<InputDigests>();
    file.inputs->trust(std::move(known));
    try {
      file.kind = make_kind(file.grid.kind, file.grid.quantities, file.inputs);
    } catch (const Error& error) {
      throw_input(error.what(), source_, "");
    }
    if (document.contains("quantities") && !file.kind->chooses_quantities()) {
      fail("quantities are chosen, and cells of kind " + file.grid.kind + " have their own", "leave it out",
           document.get("quantities"));
    }
    if (document.contains("seed") && !file.kind->uses_seed()) {
      fail("cells of kind " + file.grid.kind + " draw nothing that a seed could change", "leave it out",
           document.get("seed"));
    }
    file.grid.seed = whole_at(document, "seed").value_or(1);
    read_stopping(document, *file.kind, file.grid);
    read_axes(document, *file.kind, file.grid);
    read_conditions(document, file.grid);
    file.text = std::move(text);
    return file;
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy,
                         const toml::node* node = nullptr) const {
    const bool has_line = node != nullptr && node->source().begin.line > 0;
    throw_input(problem, has_line ? fmt::format("{}, line {}", source_, node->source().begin.line) : source_, remedy);
  }

  void check_names(const toml::table& table, const std::vector<std::string>& known, const std::string& what) const {
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      fail(fmt::format("there is no {} '{}'", what, name), "did you mean " + nearest(name, known) + "?", &value);
    }
  }

  [[nodiscard]] std::optional<std::string> text_at(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    if (const auto text = node->value_exact<std::string>()) return text;
    fail(fmt::format("'{}' is no text", key), "put it in quotes", node);
  }

  [[nodiscard]] std::optional<std::uint64_t> whole_at(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    const auto number = node->value_exact<std::int64_t>();
    if (number && *number >= 0) return static_cast<std::uint64_t>(*number);
    fail(fmt::format("'{}' is no whole number of at least 0", key), "write it without quotes and decimals", node);
  }

  [[nodiscard]] double number_at(const toml::table& table, std::string_view key, const std::string& where) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) fail(fmt::format("{} has no '{}'", where, key), "add it", &table);
    const auto number = node->value<double>();
    if (number && node->is_number() && std::isfinite(*number)) return *number;
    fail(fmt::format("'{}' of {} is no finite number", key, where), "write a number", node);
  }

  void read_stopping(const toml::table& document, const verify::sweep::Kind& kind, Grid& grid) const {
    const auto trials = whole_at(document, "trials");
    if (!trials || *trials == 0) fail("the number of trials per cell is missing", "add e.g. trials = 1000");
    grid.stopping.trials = *trials;
    const toml::node* node = document.get("target");
    if (node == nullptr) return;
    const toml::table* target = node->as_table();
    if (target == nullptr)
      fail("'target' is no table", R"(e.g. target = {quantity = "separable", standard_error = 1e-3})", node);
    check_names(*target, {"quantity", "standard_error", "least"}, "key of target");
    grid.stopping.quantity = text_at(*target, "quantity").value_or("");
    check_target_quantity(kind, grid, node);
    grid.stopping.standard_error = number_at(*target, "standard_error", "target");
    if (!(grid.stopping.standard_error > 0)) fail("the target is no positive standard error", "e.g. 1e-3", node);
    grid.stopping.least = whole_at(*target, "least").value_or(grid.stopping.least);
    if (grid.stopping.least < 2) fail("a standard error takes at least 2 trials", "leave least out for 256", node);
  }

  void check_target_quantity(const verify::sweep::Kind& kind, const Grid& grid, const toml::node* node) const {
    const std::vector<std::string> measured = kind.quantities();
    const std::string& quantity = grid.stopping.quantity;
    if (std::find(measured.begin(), measured.end(), quantity) != measured.end()) return;
    fail(fmt::format("the target's quantity '{}' is not measured", quantity),
         "did you mean " + nearest(quantity, measured) + "?", node);
  }

  void read_axes(const toml::table& document, const verify::sweep::Kind& kind, Grid& grid) const {
    std::vector<std::string> names;
    for (const GridKey& key : kind.keys()) names.push_back(key.name);
    const toml::table empty;
    const auto table_at = [&](const char* name) -> const toml::table& {
      const toml::node* node = document.get(name);
      if (node == nullptr) return empty;
      if (node->as_table() == nullptr)
        fail(fmt::format("'{}' is no table", name), fmt::format("write [{}]", name), node);
      check_names(*node->as_table(), names, std::string(name) == "axes" ? "axis" : "constant");
      return *node->as_table();
    };
    const toml::table& axes = table_at("axes");
    const toml::table& constants = table_at("constants");
    for (const GridKey& key : kind.keys()) {
      const toml::node* axis = axes.get(key.name);
      const toml::node* constant = constants.get(key.name);
      if (axis != nullptr && constant != nullptr) {
        fail(fmt::format("'{}' is both an axis and a constant", key.name), "keep one of them", constant);
      }
      if (axis != nullptr) {
        grid.axes.push_back({key.name, values_of(key, *axis)});
      } else if (constant != nullptr) {
        grid.axes.push_back({key.name, {value_of(key, *constant)}});
      } else if (key.fallback) {
        grid.axes.push_back({key.name, {*key.fallback}});
      } else {
        fail(fmt::format("the grid says no {} ({})", key.name, key.meaning),
             fmt::format("add it under [axes] or [constants]"));
      }
    }
  }

  [[nodiscard]] Value value_of(const GridKey& key, const toml::node& node) const {
    if (key.type == GridKey::Type::text) {
      if (const auto text = node.value_exact<std::string>()) return *text;
      fail(fmt::format("a value of {} is no text", key.name), "put it in quotes", &node);
    }
    if (const auto number = node.value<double>(); number && node.is_number()) return checked(key, *number, &node);
    fail(fmt::format("a value of {} is no number", key.name), key.meaning, &node);
  }

  [[nodiscard]] double checked(const GridKey& key, double number, const toml::node* node) const {
    if (!std::isfinite(number)) fail(fmt::format("a value of {} is not finite", key.name), key.meaning, node);
    const bool whole = number >= 0 && number <= largest_whole && number == std::floor(number);
    if (key.type == GridKey::Type::whole && !whole) {
      fail(fmt::format("{} cannot be {}", key.name, number), "it is a whole number", node);
    }
    return number;
  }

  [[nodiscard]] std::vector<Value> values_of(const GridKey& key, const toml::node& node) const {
    std::vector<Value> values;
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& item : *list) values.push_back(value_of(key, item));
    } else if (const toml::table* range = node.as_table(); range != nullptr && key.type != GridKey::Type::text) {
      const std::vector<double> numbers = range_of(key, *range);
      values.assign(numbers.begin(), numbers.end());
    } else {
      fail(fmt::format("the axis {} is no list of values", key.name),
           fmt::format("e.g. {} = [{}], or put it under [constants]", key.name,
                       key.type == GridKey::Type::text ? "\"softmax\"" : "1, 2, 4"),
           &node);
    }
    if (values.empty())
      fail(fmt::format("the axis {} has no values, so the grid is empty", key.name), "give it one", &node);
    std::vector<Value> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const auto twin = std::adjacent_find(sorted.begin(), sorted.end());
    if (twin != sorted.end()) {
      fail(fmt::format("the axis {} has {} twice", key.name, verify::sweep::value_text(*twin)), "name it once", &node);
    }
    return values;
  }

  [[nodiscard]] std::vector<double> range_of(const GridKey& key, const toml::table& table) const {
    const std::string where = "the range of " + key.name;
    check_names(table, {"scale", "from", "to", "count", "step"}, "key of a range");
    const std::string scale = text_at(table, "scale").value_or("linear");
    const double from = number_at(table, "from", where);
    const double to = number_at(table, "to", where);
    if (to < from) fail(where + " ends before it begins", "from <= to", &table);
    std::vector<double> values;
    if (scale == "powers-of-two") {
      if (table.contains("count") || table.contains("step"))
        fail(where + " has too many keys", "from and to are enough", &table);
      if (!(from > 0)) fail(where + " begins at 0 or below", "powers of two are positive", &table);
      values = verify::sweep::powers_of_two(from, to);
    } else if (scale == "linear" && table.contains("step")) {
      if (table.contains("count")) fail(where + " has both count and step", "keep one of them", &table);
      const double step = number_at(table, "step", where);
      if (!(step > 0) || (to - from) / step >= longest_axis)
        fail(where + " has no sensible step", "step > 0, for at most a million values", &table);
      const auto steps = static_cast<std::size_t>(std::floor((to - from) / step * (1 + 1e-12)));
      for (std::size_t k = 0; k <= steps; ++k) values.push_back(from + static_cast<double>(k) * step);
    } else if (scale == "linear" || scale == "log") {
      const double count = number_at(table, "count", where);
      if (!(count >= 1 && count <= longest_axis) || (count < 2 && to > from)) {
        fail(where + " has no sensible count", "2 to a million for two ends", &table);
      }
      if (scale == "log" && !(from > 0))
        fail(where + " begins at 0 or below", "a logarithmic range is positive", &table);
      const auto points = static_cast<std::size_t>(count);
      values =
          scale == "log" ? verify::sweep::log_range(from, to, points) : verify::sweep::linear_range(from, to, points);
    } else {
      const std::vector<std::string> known = {"linear", "log", "powers-of-two"};
      fail(fmt::format("there is no scale '{}'", scale), "did you mean " + nearest(scale, known) + "?", &table);
    }
    for (double& value : values) {
      if (key.type == GridKey::Type::whole) value = std::round(value);
      value = checked(key, value, &table);
    }
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  void read_conditions(const toml::table& document, Grid& grid) const {
    const toml::node* node = document.get("exclude");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr) fail("'exclude' is no list of conditions", R"(e.g. exclude = ["top >= length"])", node);
    for (const toml::node& item : *list) {
      const auto text = item.value_exact<std::string>();
      if (!text) fail("a condition is no text", "put it in quotes", &item);
      grid.exclude.push_back(*text);
    }
  }

  std::string source_;
};

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::vector<std::string> lost(const std::vector<Value>& before, const std::vector<Value>& after) {
  std::vector<std::string> values;
  for (const Value& value : before) {
    if (std::find(after.begin(), after.end(), value) == after.end()) values.push_back(verify::sweep::value_text(value));
  }
  return values;
}

}  // namespace

GridFile parse_grid(std::string text, const std::string& source, InputDigests::Digests known) {
  return GridReader(source).read(std::move(text), std::move(known));
}

GridFile read_grid(const fs::path& file, InputDigests::Digests known) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    throw_input("there is no such grid file", file.string(),
                "docs/sweeps.md says what it holds; results/grids has some");
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) throw_input("cannot read the grid file", file.string(), "check its permissions");
  return parse_grid(std::move(text), file.string(), std::move(known));
}

std::string grid_difference(const Grid& before, const Grid& after) {
  std::vector<std::string> clauses;
  const auto changed = [&](const char* what, const auto& from, const auto& to) {
    if (from != to) clauses.push_back(fmt::format("{} was {} and is {}", what, from, to));
  };
  changed("kind", before.kind, after.kind);
  changed("seed", before.seed, after.seed);
  changed("trials", before.stopping.trials, after.stopping.trials);
  changed("quantities", before.quantities, after.quantities);
  changed("the target's quantity", before.stopping.quantity, after.stopping.quantity);
  changed("the target's standard_error", before.stopping.standard_error, after.stopping.standard_error);
  changed("the target's least", before.stopping.least, after.stopping.least);
  if (before.kind == after.kind) {
    for (std::size_t k = 0; k < before.axes.size(); ++k) {
      const std::vector<std::string> loses = lost(before.axes[k].values, after.axes[k].values);
      const std::vector<std::string> gains = lost(after.axes[k].values, before.axes[k].values);
      if (!loses.empty()) clauses.push_back(before.axes[k].name + " loses " + joined(loses));
      if (!gains.empty()) clauses.push_back(before.axes[k].name + " gains " + joined(gains));
    }
  }
  changed("exclude", joined(before.exclude), joined(after.exclude));
  std::string text;
  for (const std::string& clause : clauses) text += (text.empty() ? "" : "; ") + clause;
  return text;
}

}  // namespace headroom::app
