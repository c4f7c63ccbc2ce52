#include "model/npy_write.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace headroom::model {
namespace {

template <class Number>
void append(std::string& bytes, Number number) {
  auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(number);
  if constexpr (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
  bytes.append(raw.data(), raw.size());
}

std::size_t product(std::span<const std::size_t> shape) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  return count;
}

/// The file up to its data. `type` is the Python literal of the element type.
std::string front(const std::string& type, std::span<const std::size_t> shape) {
  std::string text = "{'descr': " + type + ", 'fortran_order': False, 'shape': (";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  text += shape.size() == 1 ? ",), }" : "), }";

  // Version 1.0 has a two-byte length; 2.0, four bytes, is for records with very many fields.
  constexpr std::size_t alignment = 64;
  const bool is_short = text.size() + 10 + alignment <= 65535;
  const std::size_t before = is_short ? 10 : 12;
  const std::size_t unpadded = before + text.size() + 1;
  text.append((alignment - unpadded % alignment) % alignment, ' ');
  text += '\n';

  std::string bytes = "\x93NUMPY";
  bytes += is_short ? '\1' : '\2';
  bytes += '\0';
  if (is_short) {
    append(bytes, static_cast<std::uint16_t>(text.size()));
  } else {
    append(bytes, static_cast<std::uint32_t>(text.size()));
  }
  return bytes + text;
}

}  // namespace

std::string npy_front(std::span<const std::size_t> shape, NpyFloat type) {
  return front(type == NpyFloat::float64 ? "'<f8'" : "'<f4'", shape);
}

std::string npy_bytes(std::span<const std::size_t> shape, std::span<const double> values, NpyFloat type) {
  assert(values.size() == product(shape));
  const bool wide = type == NpyFloat::float64;
  std::string bytes = npy_front(shape, type);
  bytes.reserve(bytes.size() + values.size() * (wide ? 8 : 4));
  for (const double value : values) {
    if (wide) {
      append(bytes, value);
    } else {
      append(bytes, static_cast<float>(value));
    }
  }
  return bytes;
}

std::string npy_records(std::span<const std::size_t> shape, std::span<const NpyField> fields) {
  assert(!fields.empty());
  std::string type = "[";
  std::size_t record_size = 0;
  for (const NpyField& field : fields) {
    const bool whole = std::holds_alternative<std::span<const std::int32_t>>(field.values);
    type += "('" + field.name + (whole ? "', '<i4'), " : "', '<f8'), ");
    record_size += whole ? 4 : 8;
    assert(std::visit([](const auto& values) { return values.size(); }, field.values) == product(shape));
  }
  type.resize(type.size() - 2);
  std::string bytes = front(type + "]", shape);
  const std::size_t records = product(shape);
  bytes.reserve(bytes.size() + records * record_size);
  for (std::size_t record = 0; record < records; ++record) {
    for (const NpyField& field : fields) {
      std::visit([&](const auto& values) { append(bytes, values[record]); }, field.values);
    }
  }
  return bytes;
}

}  // namespace headroom::model
