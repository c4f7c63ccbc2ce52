#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "core/matrix_view.hpp"
#include "core/page_array.hpp"
#include "verify/lanes.hpp"
#include "verify/precision.hpp"
#include "verify/product.hpp"

namespace headroom::verify {

/// The vectors x_i a head's tokens carry, (tokens × d), with everything about them that all its rows and all heads with
/// the same vectors share: squared norms, M, δ and, where it pays, the Gram matrix G = XXᵀ.
class Embeddings {
 public:
  struct Options {
    bool gram = false;  ///< keep G: 8·tokens² bytes (4 in single precision), d·tokens² fused operations to make
    bool spacing =
        false;  ///< find δ, the smallest pairwise distance: d·tokens²/2 operations, none but comparisons with G
    bool normalize = false;  ///< scale every vector to unit length first; a zero vector is an input error
    Precision precision = Precision::full;  ///< of G; the vectors themselves stay in double
  };

  /// Copies the vectors. Throws Error(input) naming the token when one must be normalized and has no length.
  Embeddings(MatrixView<const double> vectors, Options options);

  [[nodiscard]] std::size_t tokens() const { return tokens_; }
  [[nodiscard]] std::size_t dim() const { return dim_; }
  [[nodiscard]] std::span<const double> vector(std::size_t token) const { return {x_.data() + token * stride_, dim_}; }
  /// d rounded up to whole lanes: every vector is followed by zeros up to here, so that kernels need no tail.
  [[nodiscard]] std::size_t padded_dim() const { return stride_; }
  [[nodiscard]] std::span<const double> norm2() const { return norm2_; }

  [[nodiscard]] Precision precision() const { return options_.precision; }

  /// X, (tokens × d), and Xᵀ, (d × tokens), in the precision of the hot loops: Real is double for `full`, else float.
  template <class Real>
  [[nodiscard]] const PackedMatrix<Real>& matrix() const {
    return arrays<Real>().x;
  }
  template <class Real>
  [[nodiscard]] const PackedMatrix<Real>& transposed() const {
    return arrays<Real>().xt;
  }

  /// M = max ‖x_i‖ over all tokens.
  [[nodiscard]] double largest_norm() const { return largest_norm_; }

  /// δ = min over pairs of ‖x_i−x_j‖ over all tokens; requires Options::spacing. Fewer than two tokens: 0.
  [[nodiscard]] double spacing() const { return spacing_; }

  [[nodiscard]] bool has_gram() const { return options_.gram; }

  /// Row j of G: g[i] = x_j·x_i; `gram_slack` readable entries follow the last token.
  template <class Real>
  [[nodiscard]] const Real* gram_row(std::size_t token) const {
    return arrays<Real>().gram.data() + token * gram_stride();
  }
  /// What no ‖x_i−x_j‖² exceeds, for every j: their maximum over i, or ‖x_j‖² where that is larger. Requires G.
  [[nodiscard]] std::span<const double> reach2() const { return reach2_; }

  static constexpr std::size_t gram_slack = lane_group_of<float>;

 private:
  template <class Real>
  struct Arrays {
    PackedMatrix<Real> x, xt;
    PageArray<Real> gram;
  };
  template <class Real>
  [[nodiscard]] const Arrays<Real>& arrays() const {
    if constexpr (std::is_same_v<Real, double>) {
      return full_;
    } else {
      return single_;
    }
  }

  [[nodiscard]] std::size_t gram_stride() const { return tokens_ + gram_slack; }
  void load(MatrixView<const double> vectors);
  static bool scale_to_unit(std::span<double> x);
  void compare_pairs();
  static void keep_row(std::span<const double> row, float* out);
  [[nodiscard]] double nearest_before(std::size_t i, std::span<const double> inner) const;

  std::size_t tokens_;
  std::size_t dim_;
  std::size_t stride_;
  Options options_;
  PageArray<double> x_;
  Arrays<double> full_;   // in full precision only, but for Xᵀ while pairs are compared
  Arrays<float> single_;  // in single precision only
  std::vector<double> norm2_;
  std::vector<double> reach2_;
  double largest_norm_ = 0;
  double spacing_ = 0;
};

}  // namespace headroom::verify
