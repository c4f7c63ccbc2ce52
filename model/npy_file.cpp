#include "model/npy_file.hpp"

#include <algorithm>
#include <cassert>

#include "model/npy_item.hpp"

namespace headroom::model {
namespace {

NpyHeader read_header(InputFile& input) {
  std::vector<std::byte> front(static_cast<std::size_t>(std::min<std::uint64_t>(input.size(), npy_header_limit)));
  input.read(front);
  return parse_npy_header(front, input.size(), input.name());
}

}  // namespace

NpyFile::NpyFile(const std::filesystem::path& file) : input_(file), header_(read_header(input_)) {}

void NpyFile::read_rows(std::size_t matrix, std::size_t first, MatrixView<double> out) const {
  const std::vector<std::size_t>& shape = header_.shape;
  assert(shape.size() == 2 || shape.size() == 3);
  const std::size_t matrices = shape.size() == 3 ? shape[0] : 1;
  const std::size_t rows = shape[shape.size() - 2];
  const std::size_t cols = shape[shape.size() - 1];
  assert(matrix < matrices && first + out.rows <= rows && out.cols == cols);
  if (out.empty()) return;
  std::vector<std::byte> piece;
  const auto read_items = [&](std::size_t begin, std::size_t count) -> std::span<const std::byte> {
    piece.resize(count * header_.item_size);
    input_.read_at(header_.data_begin + static_cast<std::uint64_t>(begin) * header_.item_size, piece);
    return piece;
  };
  if (header_.fortran) {
    for (std::size_t col = 0; col < cols; ++col) {
      const std::size_t begin = (col * rows + first) * matrices + matrix;
      const auto items = read_items(begin, (out.rows - 1) * matrices + 1);
      widen_items(header_, items, matrices, out.rows, out.data + col, out.stride);
    }
    return;
  }
  constexpr std::size_t piece_size = std::size_t{1} << 20U;
  const std::size_t at_once = std::max<std::size_t>(piece_size / (cols * header_.item_size), 1);
  for (std::size_t row = 0; row < out.rows; row += at_once) {
    const std::size_t count = std::min(at_once, out.rows - row);
    const auto items = read_items((matrix * rows + first + row) * cols, count * cols);
    for (std::size_t r = 0; r < count; ++r) {
      widen_items(header_, items.subspan(r * cols * header_.item_size), 1, cols, out.row_data(row + r), 1);
    }
  }
}

}  // namespace headroom::model
