#include "sim/random_scalar.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include "sim/normal_series.hpp"

namespace headroom::sim::kernels::scalar {
namespace {

constexpr std::size_t blocks_per_chunk = 8;

struct Pair {
  std::uint64_t first;
  std::uint64_t second;
};

Pair philox(const PhiloxKey& key, std::uint64_t index) {
  const r123::Philox4x32::ctr_type words =
      r123::Philox4x32()({{static_cast<std::uint32_t>(index),
                           static_cast<std::uint32_t>(index >> 32) | (key.kind << 24), key.block_low, key.block_high}},
                         {{key.key0, key.key1}});
  const auto join = [](std::uint32_t low, std::uint32_t high) { return (std::uint64_t{high} << 32) | low; };
  return {join(words[0], words[1]), join(words[2], words[3])};
}

template <std::size_t n, class T>
T polynomial(T x, const double (&c)[n]) {
  T sum = static_cast<T>(c[n - 1]);
  for (std::size_t k = n - 1; k-- > 0;) sum = sum * x + static_cast<T>(c[k]);
  return sum;
}

template <std::size_t n, class T>
T radius(T mantissa, T exponent, const double (&artanh)[n]) {
  const T s = (mantissa - 1) / (mantissa + 1);
  const T series = (s * T{-4}) * polynomial(s * s, artanh);
  return std::sqrt(exponent * static_cast<T>(-2 * log_two) + series);
}

template <std::size_t n, std::size_t m, class T>
std::pair<T, T> rotate(T turn, bool swap, T r, const double (&sine)[n], const double (&cosine)[m]) {
  const T y = turn * static_cast<T>(half_pi);
  const T sin = y * polynomial(y * y, sine);
  const T cos = polynomial(y * y, cosine);
  return swap ? std::pair(r * sin, r * cos) : std::pair(r * cos, r * sin);
}

std::pair<double, double> normal_pair(Pair bits) {
  constexpr std::uint64_t one = 0x3ff0000000000000u;
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdu;
  constexpr std::uint64_t fraction = 0xfffffffffffffu;
  const double u = std::bit_cast<double>((bits.first >> 12) | one) - (1.0 - 0x1p-53);
  const std::uint64_t shifted = std::bit_cast<std::uint64_t>(u) + (one - root_half);
  const double exponent = static_cast<double>(static_cast<std::int64_t>(shifted >> 52) - 1023);
  const double r = radius(std::bit_cast<double>((shifted & fraction) + root_half), exponent, artanh64);
  const double turn = std::bit_cast<double>((bits.second & fraction) | one) - 1.5 + 0x1p-53;
  return rotate(turn, ((bits.second >> 62) & 1) != 0, (bits.second >> 63) != 0 ? -r : r, sine64, cosine64);
}

std::pair<float, float> normal_pair(std::uint32_t first, std::uint32_t second) {
  constexpr std::uint32_t one = 0x3f800000u;
  constexpr std::uint32_t root_half = 0x3f3504f3u;
  constexpr std::uint32_t fraction = 0x7fffffu;
  const float u = std::min((static_cast<float>(first >> 1) + 0.5f) * 0x1p-31f, 1.0f - 0x1p-24f);
  const std::uint32_t shifted = std::bit_cast<std::uint32_t>(u) + (one - root_half);
  const float exponent = static_cast<float>(static_cast<std::int32_t>(shifted >> 23) - 127);
  const float r = radius(std::bit_cast<float>((shifted & fraction) + root_half), exponent, artanh32);
  const float turn = std::bit_cast<float>((second & fraction) | one) - 1.5f + 0x1p-24f;
  return rotate(turn, ((second >> 30) & 1) != 0, (second >> 31) != 0 ? -r : r, sine32, cosine32);
}

/// Rows shorter than the lanes of the vector code: summed from left to right.
template <class T>
void normalize_short(T* data, std::size_t rows, std::size_t cols, std::size_t stride) {
  for (std::size_t r = 0; r < rows; ++r, data += stride) {
    T sum = 0;
    for (std::size_t k = 0; k < cols; ++k) sum += data[k] * data[k];
    const T scale = T{1} / std::sqrt(sum);
    for (std::size_t k = 0; k < cols; ++k) data[k] *= scale;
  }
}

template <class T>
void normalize(T* data, std::size_t rows, std::size_t cols, std::size_t stride) {
  constexpr std::size_t logical = 64 / sizeof(T);
  if (cols < logical) return normalize_short(data, rows, cols, stride);
  for (std::size_t r = 0; r < rows; ++r, data += stride) {
    std::array<T, logical> lanes = {};
    const std::size_t whole = cols - cols % logical;
    for (std::size_t k = whole; k < cols; ++k) lanes[k - whole] = data[k] * data[k];
    for (std::size_t k = 0; k < whole; ++k) lanes[k % logical] = data[k] * data[k] + lanes[k % logical];
    for (std::size_t half = logical / 2; half > 0; half /= 2) {
      for (std::size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
    }
    const T scale = T{1} / std::sqrt(lanes[0]);
    for (std::size_t k = 0; k < cols; ++k) data[k] *= scale;
  }
}

}  // namespace

void fill_words(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, std::uint64_t* out) {
  for (std::size_t k = 0; k < chunks * blocks_per_chunk; ++k) {
    const Pair bits = philox(key, chunk * blocks_per_chunk + k);
    std::uint64_t* const at = out + k / blocks_per_chunk * chunk_words + k % blocks_per_chunk;
    at[0] = bits.first;
    at[blocks_per_chunk] = bits.second;
  }
}

void fill_uniforms(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out) {
  std::array<std::uint64_t, chunk_words> words;
  for (std::size_t c = 0; c < chunks; ++c, out += chunk_words) {
    scalar::fill_words(key, chunk + c, 1, words.data());
    std::transform(words.begin(), words.end(), out,
                   [](std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; });
  }
}

void fill_normals(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out) {
  for (std::size_t k = 0; k < chunks * blocks_per_chunk; ++k) {
    double* const at = out + k / blocks_per_chunk * chunk_words + k % blocks_per_chunk;
    std::tie(at[0], at[blocks_per_chunk]) = normal_pair(philox(key, chunk * blocks_per_chunk + k));
  }
}

void fill_normals(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, float* out) {
  for (std::size_t k = 0; k < chunks * blocks_per_chunk; ++k) {
    const Pair bits = philox(key, chunk * blocks_per_chunk + k);
    float* const at = out + k / blocks_per_chunk * chunk_floats + k % blocks_per_chunk * 2;
    for (std::size_t half = 0; half < 2; ++half) {
      std::tie(at[half], at[chunk_floats / 2 + half]) =
          normal_pair(static_cast<std::uint32_t>(bits.first >> (32 * half)),
                      static_cast<std::uint32_t>(bits.second >> (32 * half)));
    }
  }
}

void normalize_rows(double* data, std::size_t rows, std::size_t cols, std::size_t stride) {
  normalize(data, rows, cols, stride);
}
void normalize_rows(float* data, std::size_t rows, std::size_t cols, std::size_t stride) {
  normalize(data, rows, cols, stride);
}

}  // namespace headroom::sim::kernels::scalar
