#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headroom::verify::sweep {

/// A value of an axis: a number or a text.
using Value = std::variant<double, std::string>;

/// A condition over named values, such as `top >= length / 2 or normalizer == "softmax" and temperature < 0.1`.
///
/// From weakest to strongest: `or`, `and`, `not`, one comparison (== != < <= > >=), + -, * / %, unary -, ^ (to the
/// right), and numbers, quoted texts, names, parentheses and min(a,b), max(a,b), abs, sqrt, log, log2, exp, floor.
/// Numbers are float64 (1/0 is infinite); texts can only be compared for equality. Types are checked when it is read,
/// so holds() cannot fail. Nothing but the values given can be reached. Immutable.
class Expression {
 public:
  /// What a name stands for: the position of its value, and whether that is a text.
  struct Name {
    std::string name;
    bool is_text = false;
  };

  /// Throws usage errors naming the expression, the position in it and, for an unknown name, the nearest right one.
  Expression(std::string text, std::span<const Name> names);

  /// Whether it is true of these values, which stand in the order of the names and are of their kinds.
  [[nodiscard]] bool holds(std::span<const Value> values) const;

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend class ExpressionReader;
  enum class Operation : std::uint8_t;
  struct Node {
    Operation operation;
    std::uint32_t left = 0;   // a node, the position of a name, or of a constant
    std::uint32_t right = 0;  // a node
  };
  [[nodiscard]] double number(std::uint32_t node, std::span<const Value> values) const;
  [[nodiscard]] const std::string& word(std::uint32_t node, std::span<const Value> values) const;

  std::string text_;
  std::vector<Node> nodes_;
  std::vector<double> numbers_;
  std::vector<std::string> words_;
  std::uint32_t root_ = 0;
};

}  // namespace headroom::verify::sweep
