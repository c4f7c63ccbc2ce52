#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/low_rank_norm.hpp"

namespace headroom::sim {

/// The Jacobian J_ij = ∂α_i/∂l_j of a normalizer at one row of n logits, without the matrix: a diagonal and a few outer
/// products. Rows and columns of masked tokens are zero.
class Jacobian {
 public:
  /// scale·(diag(w) − ρ w wᵀ), w >= 0 and gap = 1 − ρΣw >= 0 (0 when ρ = 1/Σw): the form of softmax and its kin.
  static Jacobian symmetric(std::vector<double> w, double rho, double gap, double scale);

  /// diag(diagonal): each weight depends on its own logit only.
  static Jacobian diagonal(std::vector<double> diagonal);

  /// Takes left·rightᵀ off; for Jacobians that are not symmetric.
  void subtract(std::vector<double> left, std::vector<double> right);

  /// Number of tokens, masked ones included.
  [[nodiscard]] std::size_t size() const { return weights_.size(); }

  /// out ← J v, in O(n). `out` may be `v`.
  void multiply(std::span<const double> v, std::span<double> out) const;

  /// out ← Jᵀ u, in O(n). `out` may be `u`.
  void multiply_transposed(std::span<const double> u, std::span<double> out) const;

  /// ‖J‖₂: the secular equation for the symmetric form, the largest element for a diagonal, low_rank_norm() with up to
  /// three outer products, which all normalizers of this library have at most; Golub–Kahan with more, or up to 32
  /// tokens.
  [[nodiscard]] double spectral_norm() const;

  /// Spreads J over `size` tokens; entry k belongs to token kept[k], the others are masked.
  [[nodiscard]] Jacobian embedded(std::span<const std::size_t> kept, std::size_t size) const;

 private:
  void multiply_symmetric(std::span<const double> v, std::span<double> out) const;

  std::vector<double> weights_;  // w, or the diagonal when rho_ = 0
  double rho_ = 0;
  double gap_ = 1;
  double scale_ = 1;
  std::vector<OuterProduct> products_;
};

}  // namespace headroom::sim
