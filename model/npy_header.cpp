#include "model/npy_header.hpp"

#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "core/error.hpp"

namespace headroom::model {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr const char* save_again = "save it again with numpy.save(file, array.astype(numpy.float64))";

/// A cursor over the Python dictionary literal the header is written as.
class Literal {
 public:
  Literal(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  [[noreturn]] void fail(const std::string& problem) const {
    throw_input("malformed .npy header: " + problem + " at byte " + std::to_string(at_) + " of the header", name_,
                save_again);
  }

  bool accept(std::string_view word) {
    skip_space();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  void expect(std::string_view word) {
    if (!accept(word)) fail("expected " + std::string(word));
  }

  /// A string without escapes, as every key and every plain type description is.
  std::string_view quoted() {
    const char quote = accept("'") ? '\'' : '"';
    if (quote == '"') expect("\"");
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\\') ++at_;
    if (at_ == text_.size() || text_[at_] != quote) fail("a string does not end");
    return text_.substr(begin, at_++ - begin);
  }

  std::size_t integer() {
    skip_space();
    std::size_t value = 0;
    const char* const first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail("a dimension is too large");
    if (error != std::errc()) fail("expected a dimension");
    at_ += static_cast<std::size_t>(end - first);
    return value;
  }

  void expect_end() {
    skip_space();
    if (at_ != text_.size()) fail("something follows the closing brace");
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

void set_type(std::string_view type, NpyHeader& header, const std::string& name) {
  const bool known = type.size() == 3 && std::string_view("<>=").find(type[0]) != std::string_view::npos &&
                     type[1] == 'f' && std::string_view("248").find(type[2]) != std::string_view::npos;
  if (!known) {
    std::string shown;
    for (const char c : type.substr(0, 40)) shown += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
    throw_input("elements of type '" + shown + "', not float16, float32 or float64", name, save_again);
  }
  header.item_size = static_cast<std::size_t>(type[2] - '0');
  const bool little = std::endian::native == std::endian::little;
  header.swapped = type[0] == (little ? '>' : '<');
}

void read_shape(Literal& literal, NpyHeader& header, const std::string& name) {
  literal.expect("(");
  bool closed = literal.accept(")");
  while (!closed) {
    if (header.shape.size() == npy_max_rank) {
      throw_input("more than " + std::to_string(npy_max_rank) + " dimensions", name, "reshape it first");
    }
    header.shape.push_back(literal.integer());
    const bool comma = literal.accept(",");
    closed = literal.accept(")");
    // Python needs the comma in (3,); without it the parentheses hold a number.
    if (!comma && (!closed || header.shape.size() == 1)) literal.fail("expected ,");
  }
}

NpyHeader read_dictionary(std::string_view text, const std::string& name) {
  NpyHeader header;
  Literal literal(text, name);
  std::array<bool, 3> seen = {};
  const auto once = [&](std::size_t key) {
    if (seen[key]) literal.fail("a key stands twice");
    seen[key] = true;
  };
  literal.expect("{");
  while (!literal.accept("}")) {
    const std::string_view key = literal.quoted();
    literal.expect(":");
    if (key == "descr") {
      once(0);
      if (literal.accept("[")) throw_input("holds records, not plain numbers", name, "save one field of it as float64");
      set_type(literal.quoted(), header, name);
    } else if (key == "fortran_order") {
      once(1);
      header.fortran = literal.accept("True");
      if (!header.fortran) literal.expect("False");
    } else if (key == "shape") {
      once(2);
      read_shape(literal, header, name);
    } else {
      literal.fail("a key other than descr, fortran_order and shape");
    }
    if (!literal.accept(",")) {
      literal.expect("}");
      break;
    }
  }
  literal.expect_end();
  if (!seen[0] || !seen[1] || !seen[2]) literal.fail("one of descr, fortran_order and shape is missing");
  return header;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text = "(";
  for (const std::size_t extent : shape) text += std::to_string(extent) + ", ";
  if (shape.size() > 1) text.resize(text.size() - 2);
  if (shape.size() == 1) text.pop_back();
  return text + ")";
}

/// Elements in the shape. As in NumPy, the extents other than 0 must multiply to an addressable size even where a 0
/// makes the array empty; otherwise (0, 2^63) would be a legal shape with an overflowing stride.
std::optional<std::size_t> element_count(const NpyHeader& header) {
  std::size_t room = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / sizeof(double);
  std::size_t count = 1;
  bool none = false;
  for (const std::size_t extent : header.shape) {
    if (extent == 0) {
      none = true;
      continue;
    }
    if (extent > room) return std::nullopt;
    room /= extent;
    count *= extent;
  }
  return none ? 0 : count;
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> front, std::uint64_t file_size, const std::string& name) {
  const std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  if (!text.starts_with(magic)) throw_input("not a .npy file", name, "write it with numpy.save");
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(std::to_integer<unsigned>(front[at])); };
  const std::string truncated = "the file ends within its header";
  if (front.size() < 10) throw_input(truncated, name, save_again);
  const std::size_t major = byte(6);
  if (major < 1 || major > 3 || byte(7) != 0) {
    throw_input(".npy version " + std::to_string(major) + "." + std::to_string(byte(7)) + ", not 1.0 to 3.0", name,
                save_again);
  }
  const std::size_t begin = major == 1 ? 10 : 12;
  if (front.size() < begin) throw_input(truncated, name, save_again);
  std::size_t length = byte(8) | byte(9) << 8U;
  if (major > 1) length |= byte(10) << 16U | byte(11) << 24U;
  if (begin + length > npy_header_limit) {
    throw_input("a header of " + std::to_string(length) + " bytes, more than any plain array needs", name, save_again);
  }
  if (begin + length > front.size()) throw_input(truncated, name, save_again);

  NpyHeader header = read_dictionary(text.substr(begin, length), name);
  header.data_begin = begin + length;
  const std::optional<std::size_t> count = element_count(header);
  const std::uint64_t there = file_size - header.data_begin;
  if (!count || *count != there / header.item_size || there % header.item_size != 0) {
    throw_input("shape " + shape_text(header.shape) + " of " + std::to_string(header.item_size) +
                    "-byte elements does not fill exactly the " + std::to_string(there) + " bytes of data there are",
                name, "the file is truncated or damaged: copy or save it again");
  }
  header.count = *count;
  return header;
}

}  // namespace headroom::model
