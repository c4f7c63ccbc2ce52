#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/matrix_view.hpp"
#include "sim/random_kernels.hpp"

namespace headroom::sim {

/// A random stream that belongs to a piece of work: block `block` of the cell with hash `cell` under seed `seed`,
/// never to a thread or a rank. Counter-based: Philox4x32-10 of Random123 (Salmon et al., SC11).
///
/// The stream holds four independent sequences, one for each kind of draw; element i of a sequence is a pure function
/// of (seed, cell, block, kind, i). So how draws are grouped into calls, and which kinds are mixed, changes nothing,
/// and the bytes are equal on every instruction set. Period 2⁶⁰ draws per kind.
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t cell, std::uint64_t block);

  /// 64 random bits each.
  void words(std::span<std::uint64_t> out) { words_.fill(key_, out); }
  std::uint64_t word();

  /// Uniform in [0, 1), multiples of 2⁻⁵³.
  void uniforms(std::span<double> out) { uniforms_.fill(key_, out); }
  double uniform();

  /// Uniform in {0, …, n−1}, exactly, by Lemire's rejection; draws one word or (rarely) more. Requires n >= 1.
  std::uint64_t below(std::uint64_t n);

  /// Standard normals by Box–Muller; |z| <= √(106 log 2) = 8.57.
  void normals(std::span<double> out) { normals_.fill(key_, out); }
  double normal();

  /// Standard normals in float32, from half the random bits: |z| <= √(64 log 2) = 6.66, and 23 bits of angle.
  void normals(std::span<float> out) { float_normals_.fill(key_, out); }

 private:
  using Key = kernels::PhiloxKey;

  /// One kind of draw: the number of elements handed out, and the chunk that was begun.
  template <class T, std::size_t chunk, void (*kernel)(const Key&, std::uint64_t, std::size_t, T*), std::uint32_t kind>
  class Sequence {
   public:
    void fill(Key key, std::span<T> out);

   private:
    std::uint64_t next_ = 0;
    std::array<T, chunk> begun_ = {};
  };

  Key key_;
  Sequence<std::uint64_t, kernels::chunk_words, kernels::fill_words, 0> words_;
  Sequence<double, kernels::chunk_words, kernels::fill_uniforms, 1> uniforms_;
  Sequence<double, kernels::chunk_words, kernels::fill_normals, 2> normals_;
  Sequence<float, kernels::chunk_floats, kernels::fill_normals, 3> float_normals_;
};

/// Fills the rows of `points` (n × d) with independent points uniform on the unit sphere S^{d−1}: normals over their
/// Euclidean norm (Muller 1959), so each has norm 1 within 4 ULP. d = 1 gives ±1. Takes n·d normals from the stream.
void fill_sphere(Stream& stream, MatrixView<double> points);

/// The same in float32, twice as fast. Its points are a different draw, with coordinates rounded to 24 bits: an inner
/// product of two of them is off by about 10⁻⁷ (at most d·6·10⁻⁸), which matters where distances that close are
/// compared.
void fill_sphere(Stream& stream, MatrixView<float> points);

}  // namespace headroom::sim
