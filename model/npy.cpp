#include "model/npy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "model/input_file.hpp"
#include "model/npy_header.hpp"
#include "model/npy_item.hpp"

namespace headroom::model {
namespace {

/// Takes the elements in the order of the file and puts each where C order wants it.
class Placer {
 public:
  Placer(const NpyHeader& header, std::vector<double>& values) : header_(header), values_(values) {
    std::size_t stride = 1;
    for (std::size_t axis = header.shape.size(); axis-- > 0;) {
      stride_[axis] = stride;
      stride *= header.shape[axis];
    }
  }

  void place(std::span<const std::byte> items) {
    const std::size_t count = items.size() / header_.item_size;
    if (!header_.fortran) {
      widen_items(header_, items, 1, count, values_.data() + target_, 1);
      target_ += count;
      return;
    }
    for (std::size_t at = 0; at < count; ++at) {
      widen_items(header_, items.subspan(at * header_.item_size), 1, 1, values_.data() + target_, 1);
      advance();
    }
  }

 private:
  void advance() {
    for (std::size_t axis = 0; axis < header_.shape.size(); ++axis) {
      target_ += stride_[axis];
      if (++index_[axis] < header_.shape[axis]) return;
      target_ -= stride_[axis] * header_.shape[axis];
      index_[axis] = 0;
    }
  }

  const NpyHeader& header_;
  std::vector<double>& values_;
  std::array<std::size_t, npy_max_rank> index_ = {};
  std::array<std::size_t, npy_max_rank> stride_ = {};
  std::size_t target_ = 0;
};

}  // namespace

NpyArray parse_npy(std::span<const std::byte> bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, bytes.size(), name);
  NpyArray array{header.shape, std::vector<double>(header.count)};
  Placer(header, array.values).place(bytes.subspan(header.data_begin));
  return array;
}

NpyArray read_npy(const std::filesystem::path& file) {
  InputFile input(file);
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::uint64_t>(input.size(), npy_header_limit)));
  input.read(piece);
  const NpyHeader header = parse_npy_header(piece, input.size(), input.name());
  NpyArray array{header.shape, std::vector<double>(header.count)};
  Placer placer(header, array.values);

  // The front may end inside an element: what is left of it starts the next piece.
  constexpr std::size_t piece_size = std::size_t{1} << 20U;
  piece.erase(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(header.data_begin));
  std::uint64_t left = header.count * header.item_size - piece.size();
  while (true) {
    const std::size_t whole = piece.size() - piece.size() % header.item_size;
    placer.place(std::span(piece).first(whole));
    piece.erase(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(whole));
    if (left == 0) return array;
    const std::size_t kept = piece.size();
    const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece_size));
    piece.resize(kept + more);
    input.read(std::span(piece).subspan(kept));
    left -= more;
  }
}

std::string index_text(std::span<const std::size_t> index) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < index.size(); ++axis) text += (axis == 0 ? "" : ", ") + std::to_string(index[axis]);
  return text + "]";
}

}  // namespace headroom::model
