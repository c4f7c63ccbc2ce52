#include "model/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "model/input_file.hpp"
#include "model/npy_header.hpp"

namespace headroom::model {
namespace {

/// Exact: every float16 is a float64.
double widen_half(std::uint16_t bits) {
  const unsigned exponent = (bits >> 10U) & 31U;
  const unsigned fraction = bits & 1023U;
  double magnitude = 0.0;
  if (exponent == 31U) {
    magnitude = fraction == 0 ? HUGE_VAL : std::nan("");
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<double>(fraction), -24);
  } else {
    magnitude = std::ldexp(static_cast<double>(1024U + fraction), static_cast<int>(exponent) - 25);
  }
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

template <class Bits>
Bits load(const std::byte* from, bool swapped) {
  std::array<std::byte, sizeof(Bits)> raw;
  std::copy_n(from, raw.size(), raw.begin());
  if (swapped) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<Bits>(raw);
}

double load_item(const std::byte* from, const NpyHeader& header) {
  switch (header.item_size) {
    case 2:
      return widen_half(load<std::uint16_t>(from, header.swapped));
    case 4:
      return static_cast<double>(load<float>(from, header.swapped));
    default:
      return load<double>(from, header.swapped);
  }
}

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
    for (std::size_t at = 0; at < items.size(); at += header_.item_size) {
      values_[target_] = load_item(&items[at], header_);
      advance();
    }
  }

 private:
  void advance() {
    if (!header_.fortran) {
      ++target_;
      return;
    }
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

std::optional<std::vector<std::size_t>> first_non_finite(const NpyArray& array) {
  const auto found =
      std::find_if_not(array.values.begin(), array.values.end(), [](double v) { return std::isfinite(v); });
  if (found == array.values.end()) return std::nullopt;
  auto rest = static_cast<std::size_t>(found - array.values.begin());
  std::vector<std::size_t> index(array.shape.size());
  for (std::size_t axis = index.size(); axis-- > 0;) {
    index[axis] = rest % array.shape[axis];
    rest /= array.shape[axis];
  }
  return index;
}

std::string index_text(std::span<const std::size_t> index) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < index.size(); ++axis) text += (axis == 0 ? "" : ", ") + std::to_string(index[axis]);
  return text + "]";
}

}  // namespace headroom::model
