#pragma once

#include <span>
#include <vector>

namespace headroom::sim {

/// left·rightᵀ
struct OuterProduct {
  std::vector<double> left;
  std::vector<double> right;
};

/// ‖J‖₂ of J = diag(d) − Σ_k u_k v_kᵀ with r = 1, 2 or 3 outer products: the Jacobians that are not symmetric.
///
/// The largest eigenvalue of [[0, J], [Jᵀ, 0]], whose diagonal part has the eigenvalues ±|d_i|. By Sylvester's law of
/// inertia (Haynsworth 1968) as many eigenvalues lie above σ as C(σ) has positive ones, less r:
///
///   C(σ) = [[ |d_T| − σ, W_T ], [ W_Tᵀ, [[0, I], [I, 0]] + Σ_{i∉T} w⁺w⁺ᵀ/(σ − |d_i|) + Σ_i w⁻w⁻ᵀ/(σ + |d_i|) ]],
///   w± = (u_i, ±sign(d_i)·v_i)/√2,
///
/// T the r largest |d_i|, so that C, of order 3r, has no pole above the next one, which the norm is at least (Weyl).
/// Every eigenvalue of C falls with σ; the norm is where the (r+1)-th largest passes 0, found by Newton's method within
/// a bracket: O(n) a step, about eight steps. Absolute error within about 10⁻¹⁴·(max|d| + Σ‖u_k‖‖v_k‖), 10⁻⁸ of it
/// where the norm all but equals some |d_i|.
[[nodiscard]] double low_rank_norm(std::span<const double> d, std::span<const OuterProduct> products);

}  // namespace headroom::sim
