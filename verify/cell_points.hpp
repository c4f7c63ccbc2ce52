#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/matrix_view.hpp"
#include "sim/random.hpp"

namespace headroom::verify {

/// L independent uniform points x_j = g_j/‖g_j‖ on the sphere of R^d, kept as the normals g in blocks of tokens (see
/// cell_kernels.hpp) and never written out: a row of weights only needs products with them. Reused from draw to draw.
///
/// The normals may be drawn in float32, in half the time. They are then confined to |g| <= 6.66 and steps of 2⁻²⁴
/// relative, which moves the law of a direction by about 10⁻⁷; ‖x_j‖ = 1 and all products are float64 as ever.
class CellPoints {
 public:
  enum class Precision { float32, float64 };

  CellPoints(std::size_t tokens, std::size_t dim, Precision precision);

  /// Draws the points and sums c = Σ_j α_j x_j on the way. `alpha` is padded with zeros to padded().
  void draw(sim::Stream& stream, const double* alpha, std::span<double> c);

  /// Adds α·x_token to `sum`.
  void add(std::size_t token, double alpha, std::span<double> sum) const;

  /// out_j = direction·x_j for every token, and for a second direction with it unless it is empty.
  void project(std::span<const double> first, double* first_out, std::span<const double> second,
               double* second_out) const;

  /// Writes the points out, (L × d).
  void copy_to(MatrixView<double> points) const;

  [[nodiscard]] std::size_t padded() const { return padded_; }

 private:
  /// Tokens of a block: 64 KiB at d = 64.
  static constexpr std::size_t block_ = 128;

  struct Block {
    std::size_t first;
    std::size_t width;
  };
  [[nodiscard]] Block block(std::size_t token) const;
  template <class T>
  void draw_block(std::vector<T>& normals, std::size_t first, sim::Stream& stream, const double* alpha, double* c);
  /// f(the normals from token `first` of a block on).
  template <class F>
  void with_block(std::size_t first, F f) const {
    if (precision_ == Precision::float32) {
      f(singles_.data() + first * dim_);
    } else {
      f(doubles_.data() + first * dim_);
    }
  }

  std::size_t tokens_;
  std::size_t padded_;
  std::size_t dim_;
  Precision precision_;
  std::vector<float> singles_;   // the normals, in the one
  std::vector<double> doubles_;  // or the other
  std::vector<double> inverse_, scaled_;
};

}  // namespace headroom::verify
