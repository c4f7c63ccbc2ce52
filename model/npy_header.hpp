#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headroom::model {

/// What the header of a .npy file says about its data.
struct NpyHeader {
  std::vector<std::size_t> shape;
  std::size_t count = 0;       ///< elements: product of the shape
  std::size_t item_size = 0;   ///< bytes an element takes: 2, 4 or 8, always floating point
  bool swapped = false;        ///< stored in the byte order that is not this machine's
  bool fortran = false;        ///< first index fastest
  std::size_t data_begin = 0;  ///< offset of the first element in the file
};

inline constexpr std::size_t npy_max_rank = 4;

/// No header that parse_npy_header accepts is longer; NumPy's own limit is of this order.
inline constexpr std::size_t npy_header_limit = 16384;

/// Parses the header at the front of a file.
/// @param front     the first min(file_size, npy_header_limit) bytes, or more
/// @param file_size bytes of the whole file; the data must end with it
/// @throws Error (input) for whatever parse_npy does not read
[[nodiscard]] NpyHeader parse_npy_header(std::span<const std::byte> front, std::uint64_t file_size,
                                         const std::string& name);

}  // namespace headroom::model
