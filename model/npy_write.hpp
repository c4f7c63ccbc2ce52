#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace headroom::model {

/// Element types of the arrays written.
enum class NpyFloat { float32, float64 };

/// The bytes of a .npy file up to its data, for those who write the elements themselves: little-endian, C order.
[[nodiscard]] std::string npy_front(std::span<const std::size_t> shape, NpyFloat type);

/// The bytes of a .npy file (little-endian, C order) of `values`, product(shape) of them. float32 rounds to nearest;
/// what lies beyond its range becomes infinite.
[[nodiscard]] std::string npy_bytes(std::span<const std::size_t> shape, std::span<const double> values,
                                    NpyFloat type = NpyFloat::float64);

/// A named column of a record array: one number per record, in C order of the outer shape.
struct NpyField {
  std::string name;  ///< ASCII letters, digits and underscores
  std::variant<std::span<const std::int32_t>, std::span<const double>> values;
};

/// The bytes of a .npy file holding a record array of the given outer shape, packed, little-endian:
/// `numpy.load(file)["distance"]` is the field of that name with that shape.
/// Requires every field to hold product(shape) numbers and names to be distinct.
[[nodiscard]] std::string npy_records(std::span<const std::size_t> shape, std::span<const NpyField> fields);

}  // namespace headroom::model
