#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/matrix_view.hpp"

namespace headroom::verify {

/// The vectors x_i a head's tokens carry, (tokens × d), with everything about them that all its rows and all heads with
/// the same vectors share: squared norms, M, δ and, where it pays, the Gram matrix G = XXᵀ.
class Embeddings {
 public:
  struct Options {
    bool gram = false;       ///< keep G: 8·tokens² bytes, d·tokens² fused operations to make
    bool far = false;        ///< with G: list the tokens farthest from each
    bool spacing = false;    ///< find δ, the smallest pairwise distance: d·tokens²/2 operations
    bool normalize = false;  ///< scale every vector to unit length first; a zero vector is an input error
  };

  /// Copies the vectors. Throws Error(input) naming the token when one must be normalized and has no length.
  Embeddings(MatrixView<const double> vectors, Options options);

  [[nodiscard]] std::size_t tokens() const { return tokens_; }
  [[nodiscard]] std::size_t dim() const { return dim_; }
  [[nodiscard]] std::span<const double> vector(std::size_t token) const { return {x_.data() + token * stride_, dim_}; }
  /// d rounded up to whole lanes: every vector is followed by zeros up to here, so that kernels need no tail.
  [[nodiscard]] std::size_t padded_dim() const { return stride_; }
  [[nodiscard]] std::span<const double> norm2() const { return norm2_; }

  /// X, (tokens × d), and Xᵀ, (d × tokens).
  [[nodiscard]] MatrixView<const double> matrix() const { return {x_.data(), tokens_, dim_, stride_}; }
  [[nodiscard]] MatrixView<const double> transposed() const { return {xt_.data(), dim_, tokens_}; }

  /// M = max ‖x_i‖ over all tokens.
  [[nodiscard]] double largest_norm() const { return largest_norm_; }

  /// δ = min over pairs of ‖x_i−x_j‖ over all tokens; requires Options::spacing. Fewer than two tokens: 0.
  [[nodiscard]] double spacing() const { return spacing_; }

  [[nodiscard]] bool has_gram() const { return !gram_.empty(); }

  /// Row j of G: g[i] = x_j·x_i; `gram_slack` readable entries follow the last token.
  [[nodiscard]] const double* gram_row(std::size_t token) const { return gram_.data() + token * gram_stride(); }
  static constexpr std::size_t gram_slack = 8;

  /// ‖x_i−x_j‖², from G unless that would cancel; requires G.
  [[nodiscard]] double distance2(std::size_t i, std::size_t j) const;

  /// The tokens farthest from `token`, farthest first: all of them, or the first `far_listed`; none without
  /// Options::far.
  [[nodiscard]] std::span<const std::uint32_t> farthest(std::size_t token) const {
    if (far_.empty()) return {};
    const std::size_t listed = std::min(tokens_, far_listed);
    return {far_.data() + token * listed, listed};
  }
  static constexpr std::size_t far_listed = 64;

 private:
  [[nodiscard]] std::size_t gram_stride() const { return tokens_ + gram_slack; }
  void normalize();
  [[nodiscard]] double square_from(double inner, std::size_t i, std::size_t j) const;
  void find_spacing();
  void list_farthest();

  std::size_t tokens_;
  std::size_t dim_;
  std::size_t stride_;
  std::vector<double> x_;
  std::vector<double> xt_;
  std::vector<double> norm2_;
  std::vector<double> gram_;
  std::vector<std::uint32_t> far_;
  double largest_norm_ = 0;
  double spacing_ = 0;
};

}  // namespace headroom::verify
