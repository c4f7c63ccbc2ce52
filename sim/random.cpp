#include "sim/random.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cassert>

namespace headroom::sim {
namespace {

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

template <class T>
void fill_rows(Stream& stream, MatrixView<T> points) {
  if (points.stride == points.cols) {
    stream.normals(std::span<T>(points.data, points.rows * points.cols));
  } else {
    for (std::size_t r = 0; r < points.rows; ++r) stream.normals(points.row(r));
  }
  kernels::normalize_rows(points.data, points.rows, points.cols, points.stride);
}

}  // namespace

// Philox itself mixes (seed, cell) into the key of the stream: 128 bits into 64, so two cells share a key with
// probability 2⁻⁶⁴; blocks of one cell never share one, their numbers being part of the counter.
Stream::Stream(std::uint64_t seed, std::uint64_t cell, std::uint64_t block) {
  const r123::Philox4x32::ctr_type mixed =
      r123::Philox4x32()({{low(seed), high(seed), low(cell), high(cell)}}, {{0x68656164u, 0x726f6f6du}});
  key_ = {.key0 = mixed[0], .key1 = mixed[1], .kind = 0, .block_low = low(block), .block_high = high(block)};
}

template <class T, std::size_t chunk, void (*kernel)(const kernels::PhiloxKey&, std::uint64_t, std::size_t, T*),
          std::uint32_t kind>
void Stream::Sequence<T, chunk, kernel, kind>::fill(Key key, std::span<T> out) {
  key.kind = kind;
  if (const std::size_t used = next_ % chunk; used > 0) {
    const std::size_t taken = std::min(out.size(), chunk - used);
    std::copy_n(begun_.begin() + static_cast<std::ptrdiff_t>(used), taken, out.begin());
    next_ += taken;
    out = out.subspan(taken);
  }
  if (const std::size_t whole = out.size() / chunk; whole > 0) {
    kernel(key, next_ / chunk, whole, out.data());
    next_ += whole * chunk;
    out = out.subspan(whole * chunk);
  }
  if (!out.empty()) {
    kernel(key, next_ / chunk, 1, begun_.data());
    std::copy_n(begun_.begin(), out.size(), out.begin());
    next_ += out.size();
  }
}

template class Stream::Sequence<std::uint64_t, kernels::chunk_words, kernels::fill_words, 0>;
template class Stream::Sequence<double, kernels::chunk_words, kernels::fill_uniforms, 1>;
template class Stream::Sequence<double, kernels::chunk_words, kernels::fill_normals, 2>;
template class Stream::Sequence<float, kernels::chunk_floats, kernels::fill_normals, 3>;

std::uint64_t Stream::word() {
  std::uint64_t value = 0;
  words({&value, 1});
  return value;
}

double Stream::uniform() {
  double value = 0;
  uniforms({&value, 1});
  return value;
}

double Stream::normal() {
  double value = 0;
  normals({&value, 1});
  return value;
}

std::uint64_t Stream::below(std::uint64_t n) {
  assert(n >= 1);
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t threshold = (0 - n) % n;  // 2⁶⁴ mod n: words this low in their class are one too many
  while (true) {
    const Wide product = Wide{word()} * n;
    if (static_cast<std::uint64_t>(product) >= threshold) return static_cast<std::uint64_t>(product >> 64);
  }
}

void fill_sphere(Stream& stream, MatrixView<double> points) { fill_rows(stream, points); }
void fill_sphere(Stream& stream, MatrixView<float> points) { fill_rows(stream, points); }

}  // namespace headroom::sim
