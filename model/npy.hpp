#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace headroom::model {

/// An array as read from a .npy file: `values` in C order (last index fastest), product(shape) of them. A scalar has an
/// empty shape and one value.
struct NpyArray {
  std::vector<std::size_t> shape;
  std::vector<double> values;
};

/// Reads NumPy's .npy format, versions 1.0 to 3.0: float16, float32 or float64 of either byte order, C or Fortran
/// order, rank at most 4. Every element is widened to float64 exactly; infinities and NaNs pass.
///
/// The header must hold exactly the keys descr, fortran_order and shape, and the data must fill the rest of the bytes:
/// nothing is allocated before the shape has been checked against the size that is really there.
/// @param bytes the whole file
/// @param name  what errors call it
/// @throws Error (input) for anything else, naming the file and the remedy
/// Source: NEP 1 and the documentation of numpy.lib.format.
[[nodiscard]] NpyArray parse_npy(std::span<const std::byte> bytes, const std::string& name);

/// parse_npy of a file, read in pieces: beside the result it needs a constant amount of memory.
[[nodiscard]] NpyArray read_npy(const std::filesystem::path& file);

/// An index as messages show it: "[2, 0, 5]"; "[]" for a scalar.
[[nodiscard]] std::string index_text(std::span<const std::size_t> index);

}  // namespace headroom::model
