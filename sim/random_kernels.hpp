#pragma once

#include <cstddef>
#include <cstdint>

namespace headroom::sim::kernels {

/// What a Philox4x32-10 stream is keyed by; the counter is (index, kind, block).
struct PhiloxKey {
  std::uint32_t key0 = 0;
  std::uint32_t key1 = 0;
  std::uint32_t kind = 0;  ///< which sequence of the stream, below 256
  std::uint32_t block_low = 0;
  std::uint32_t block_high = 0;
};

/// A chunk is the output of eight consecutive Philox blocks, whatever the vector width: with block b giving the words
/// w0..w3, first[b] = w0 + 2³²·w1 and second[b] = w2 + 2³²·w3, and a chunk is first[0..7] followed by second[0..7].
inline constexpr std::size_t chunk_words = 16;
/// A chunk of float32 normals uses the same 512 bits as 32 halves.
inline constexpr std::size_t chunk_floats = 32;

/// Each writes `chunks` whole chunks, from number `chunk` on, of the sequence `key`. Every operation is an integer one
/// or an IEEE + − × ÷ √ in an order that does not depend on the vector width, and none is fused: the bytes are the
/// same on every target.
void fill_words(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, std::uint64_t* out);
/// (word >> 11)·2⁻⁵³, in [0, 1).
void fill_uniforms(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out);
/// Box–Muller over (first[b], second[b]): see normal_ulp.
void fill_normals(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out);
void fill_normals(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, float* out);

/// Worst error of a normal in units in the last place, against the exact Box–Muller transform of the same words.
inline constexpr double normal_ulp = 8.0;

/// Divides each of `rows` rows of `cols` elements by its Euclidean norm; rows are `stride` elements apart.
/// The sum of squares runs over a fixed number of logical lanes (8 for double, 16 for float).
void normalize_rows(double* data, std::size_t rows, std::size_t cols, std::size_t stride);
void normalize_rows(float* data, std::size_t rows, std::size_t cols, std::size_t stride);

/// Name of the instruction set the kernels run on, e.g. "AVX3".
[[nodiscard]] const char* target_name();

}  // namespace headroom::sim::kernels
