#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/table.hpp"

namespace headroom::app {

/// A float64 as text: the shortest that reads back as the same number, whole numbers below 2^53 without exponent, and
/// the words inf, -inf, nan for the rest. Independent of the locale.
[[nodiscard]] std::string number_text(double value);

/// The inverse of number_text; also takes any other decimal notation that std::from_chars knows. Nothing for text that
/// is no number in full or lies beyond the range of float64.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// CSV after RFC 4180 with a header line, UTF-8, and LF as line end; cells holding a comma, a quote or a line end are
/// quoted. Reading it back gives the same table, bit for bit (NaN payloads aside).
[[nodiscard]] std::string to_csv(const Table& table);

/// The names in the header line of CSV text. Throws Error(Fault::input) as parse_csv does.
[[nodiscard]] std::vector<std::string> csv_header(std::string_view text, const std::string& source);
/// One line of such a CSV file, for what is too long to be held as a table.
[[nodiscard]] std::string csv_line(const std::vector<Cell>& cells);

/// Reads what to_csv wrote, or a spreadsheet saved with the same columns (CRLF is taken too).
///
/// Strict: exactly `columns`, in this order; every row complete; a last line without line end counts as cut off.
/// Throws Error(Fault::input) with the source, the line (from 1; a quoted line end counts) and the column.
[[nodiscard]] Table parse_csv(std::string_view text, std::vector<Column> columns, const std::string& source);

}  // namespace headroom::app
