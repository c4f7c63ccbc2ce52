#pragma once

#include <cstddef>
#include <span>

/// Section 4 of docs/derivations.md: norms of the softmax Jacobian and its relatives, exact and in O(L). All of them
/// are for T = 1: divide by T. Weights are ≥ 0 and finite, at least one; any scale down to denormals.
namespace headroom::theory {

/// ‖diag(α) − ααᵀ‖₂ by the secular equation Σ α_i²/(α_i−λ) = 1: its largest root λ ∈ [α_(2), α_(1)], which is α_(1)
/// when the two largest are equal, and α(1−α) for L = 1. Weights need not sum to 1; where their sum exceeds 1 the
/// matrix has one negative eigenvalue too, and the norm is the larger magnitude. Agrees with a dense
/// SVD to 1e-10 of the largest weight. The sums run over eight fixed lanes: the bytes do not depend on the SIMD width.
[[nodiscard]] double jacobian_norm(std::span<const double> weights);

/// ‖diag(w) − wwᵀ/Σw‖₂: α-entmax with w_i = p_i^{2−α} on its support, softmax with w = α summing to 1, in which case it
/// keeps relative accuracy where the plain form loses it to 1 − α_(1). All zero weights give 0.
[[nodiscard]] double projected_jacobian_norm(std::span<const double> weights);

/// Writes a unit vector v with ‖(diag(α) − ααᵀ)v‖₂ = jacobian_norm(α), v_i ∝ α_i/(α_i−λ); (e₁−e₂)/√2 for the two
/// largest weights when they are equal (of more than two, the first two). One-hot rows, whose norm is 0, give e₁.
/// `vector` has the size of `weights`. Returns the norm.
double jacobian_top_vector(std::span<const double> weights, std::span<double> vector);

/// ‖diag(α) − ααᵀ‖_F, no cancellation. As ε → 0, E g² over directions uniform on the sphere of L tokens is
/// ‖J‖_F²/L (`random-direction`).
[[nodiscard]] double jacobian_frobenius_norm(std::span<const double> weights);

/// The selectivity–sensitivity frontier: ‖diag(α) − ααᵀ‖₂ for one weight a ≥ 1/L and L−1 equal ones that share 1−a:
/// max((1−a)/(L−1) [L > 2], a(1−a)·L/(L−1)). Requires L ≥ 2, 0 ≤ a ≤ 1.
template <class Real>
[[nodiscard]] Real frontier_jacobian_norm(const Real& weight, std::size_t length) {
  const Real others = static_cast<Real>(length - 1);
  const Real across = weight * (1 - weight) * static_cast<Real>(length) / others;
  const Real among = length > 2 ? Real((1 - weight) / others) : Real(0);
  return across > among ? across : among;
}

}  // namespace headroom::theory
