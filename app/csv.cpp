#include "app/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace headroom::app {
namespace {

constexpr double kWholeBelow = 9007199254740992.0;  // 2^53: above, not every integer is a float64

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string csv_cell(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return number_text(*number);
  if (const std::string* text = std::get_if<std::string>(&cell)) return quoted(*text);
  return "";
}

void append_line(std::string& text, const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) text += ',';
    text += fields[i];
  }
  // A lone empty field would be a blank line, which is no row.
  if (fields.size() == 1 && fields[0].empty()) text += "\"\"";
  text += '\n';
}

/// Cuts CSV text into records, keeping count of lines for messages.
class Reader {
 public:
  Reader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  [[nodiscard]] bool done() const { return position_ == text_.size(); }
  [[nodiscard]] std::string place() const { return source_ + ", line " + std::to_string(record_line_); }

  std::vector<std::string> next() {
    record_line_ = line_;
    std::vector<std::string> fields;
    do {
      fields.push_back(field());
    } while (take(','));
    take('\r');
    if (!take('\n')) {
      const bool cut = done();
      throw_input(cut ? "the last line is cut off" : "a quote or carriage return stands inside a cell", place(),
                  cut ? "the file is incomplete; write it again" : "quote the whole cell and double the quotes in it");
    }
    ++line_;
    return fields;
  }

 private:
  bool take(char c) {
    if (done() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  std::string field() {
    if (take('"')) return quoted_field();
    const std::size_t end = std::min(text_.find_first_of(",\"\r\n", position_), text_.size());
    std::string value(text_.substr(position_, end - position_));
    position_ = end;
    return value;
  }

  std::string quoted_field() {
    std::string value;
    while (!done()) {
      const char c = text_[position_++];
      if (c == '"' && !take('"')) return value;
      if (c == '\n') ++line_;
      value += c;
    }
    throw_input("a quoted cell is never closed", place(), "the file is incomplete; write it again");
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  std::size_t record_line_ = 1;
};

void check_header(const std::vector<std::string>& header, const std::vector<Column>& columns,
                  const std::string& place) {
  for (std::size_t i = 0; i < std::max(header.size(), columns.size()); ++i) {
    if (i >= header.size())
      throw_input("the column '" + columns[i].name + "' is missing", place, "write the file again");
    const std::string found = "column " + std::to_string(i + 1) + " is '" + header[i] + "'";
    if (i >= columns.size()) throw_input(found + ", which is one too many", place, "remove it");
    if (header[i] != columns[i].name) throw_input(found, place, "it should be '" + columns[i].name + "'");
  }
}

Cell parse_cell(std::string text, const Column& column, const std::string& place) {
  if (column.kind == Column::Kind::text) return text;
  if (column.kind == Column::Kind::optional_number && text.empty()) return std::monostate{};
  if (const std::optional<double> value = parse_number(text)) return *value;
  throw_input(text.empty() ? "the cell is empty" : "'" + text + "' is not a number", place + ", column " + column.name,
              "numbers are decimal, or inf, -inf, nan");
}

}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 32> text{};
  const bool whole =
      std::abs(value) < kWholeBelow && value == std::trunc(value) && !(value == 0 && std::signbit(value));
  const std::to_chars_result end =
      whole ? std::to_chars(text.data(), text.data() + text.size(), static_cast<std::int64_t>(value))
            : std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

std::optional<double> parse_number(std::string_view text) {
  if (text == "inf") return HUGE_VAL;
  if (text == "-inf") return -HUGE_VAL;
  if (text == "nan") return std::nan("");
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // from_chars has its own words for what is not finite ("infinity", "NAN(1)"); a table has one each.
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string to_csv(const Table& table) {
  std::string text;
  std::vector<std::string> fields;
  for (const Column& column : table.columns()) fields.push_back(quoted(column.name));
  append_line(text, fields);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = csv_cell(table.cell(row, i));
    append_line(text, fields);
  }
  return text;
}

std::vector<std::string> csv_header(std::string_view text, const std::string& source) {
  Reader reader(text, source);
  if (reader.done()) throw_input("the file is empty", source, "write it again");
  return reader.next();
}

std::string csv_line(const std::vector<Cell>& cells) {
  std::vector<std::string> fields;
  for (const Cell& cell : cells) fields.push_back(csv_cell(cell));
  std::string line;
  append_line(line, fields);
  return line;
}

Table parse_csv(std::string_view text, std::vector<Column> columns, const std::string& source) {
  Reader reader(text, source);
  if (reader.done()) throw_input("the file is empty", source, "write it again");
  check_header(reader.next(), columns, reader.place());
  Table table(columns, source);
  while (!reader.done()) {
    std::vector<std::string> fields = reader.next();
    if (fields.size() != columns.size()) {
      throw_input("the row has " + std::to_string(fields.size()) + " cells", reader.place(),
                  "there are " + std::to_string(columns.size()) + " columns");
    }
    std::vector<Cell> row;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      row.push_back(parse_cell(std::move(fields[i]), columns[i], reader.place()));
    }
    table.add(std::move(row));
  }
  return table;
}

}  // namespace headroom::app
