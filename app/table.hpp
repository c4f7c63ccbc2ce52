#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headroom::app {

/// What a column of a table holds.
struct Column {
  enum class Kind {
    number,           ///< float64, always there
    optional_number,  ///< float64 or nothing (an empty CSV cell)
    text,             ///< UTF-8
  };
  std::string name;
  Kind kind = Kind::number;
};

/// One cell: nothing, a number or a text.
using Cell = std::variant<std::monostate, double, std::string>;

/// Rows under typed, named columns: what every CSV file of the program is written from and read back into.
class Table {
 public:
  /// @param columns at least one, with different names
  /// @param source  where the rows come from, for messages: the file of a table that was read, else what it will be
  Table(std::vector<Column> columns, std::string source);

  /// Appends a row; one cell per column, each of its column's kind (a contract, not checked in release builds).
  void add(std::vector<Cell> row);

  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] std::span<const Column> columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] const Cell& cell(std::size_t row, std::size_t column) const { return rows_[row][column]; }

  /// Whether there is a column of this name.
  [[nodiscard]] bool has(std::string_view name) const;

  /// The column by name. Throws Error(Fault::input) naming the source and the nearest column when there is none, or
  /// when it is of another kind.
  [[nodiscard]] std::vector<double> numbers(std::string_view name) const;
  [[nodiscard]] std::vector<std::optional<double>> optional_numbers(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;

 private:
  [[nodiscard]] std::size_t index(std::string_view name, Column::Kind kind) const;

  std::vector<Column> columns_;
  std::string source_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace headroom::app
