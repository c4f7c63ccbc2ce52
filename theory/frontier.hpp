#pragma once

#include <cstddef>

/// The selectivity–sensitivity frontier (docs/choosing-a-normalizer.md) for every normalizer: the row of one token of
/// logit z ahead of n−1 tokens of logit 0, the margin z at which the token has weight p, and ‖J‖₂ there. All for T = 1:
/// with z = c·l/T the margin in logits is z·T/c and the norm of ∂weights/∂l is the one below times c/T.
///
/// Everything is closed. The Jacobian of such a row commutes with permutations of the n−1 equal tokens, so that it acts
/// on the plane of the token and the mean of the others as a 2 × 2 matrix, and on what is orthogonal to it as a factor.
/// n ≥ 2 throughout; lengths are doubles, so that the limits n → ∞ can be looked at.
namespace headroom::theory {

/// A point of the frontier.
struct FrontierPoint {
  double margin = 0;         ///< z
  double jacobian_norm = 0;  ///< ‖∂weights/∂z‖₂
};

/// The five different entries of the Jacobian of a row of one token ahead of equal others.
struct TwoLevelJacobian {
  double own = 0;         ///< ∂w₁/∂z₁
  double from_other = 0;  ///< ∂w₁/∂z_j
  double to_other = 0;    ///< ∂w_j/∂z₁
  double other_own = 0;   ///< ∂w_j/∂z_j
  double cross = 0;       ///< ∂w_j/∂z_k, j ≠ k
};

/// ‖J‖₂ of such a Jacobian with n tokens: the larger of |∂w_j/∂z_j − ∂w_j/∂z_k| (n > 2) and the largest singular value
/// of [[own, √(n−1)·from_other], [√(n−1)·to_other, other_own + (n−2)·cross]].
[[nodiscard]] double two_level_norm(const TwoLevelJacobian& jacobian, double length);

/// softmax: z = log((n−1)p/(1−p)), ‖J‖₂ = max((1−p)/(n−1) [n > 2], p(1−p)n/(n−1)). 0 < p < 1; z < 0 where p < 1/n.
[[nodiscard]] FrontierPoint softmax_frontier(double weight, double length);

/// α-entmax: the weights are [(α−1)z_i − τ]₊^{1/(α−1)}, so that (α−1)z = p^{α−1} − q^{α−1} with q = (1−p)/(n−1):
/// z = log_α(p) − log_α(q), the deformed logarithm log_α(x) = (x^{α−1}−1)/(α−1). It stays below 1/(α−1) for every n,
/// where softmax (its limit α → 1) grows like log n. ‖J‖₂ = max(w_q [n > 2], n·w_p·w_q/(w_p+(n−1)w_q)), w_x = x^{2−α}:
/// 1 for sparsemax (α = 2) whatever p and n; unbounded as p → 1 for α > 2 and n > 2.
/// α ≥ 1, 0 < p ≤ 1, p < 1 for α = 1. At p = 1, where the others leave the support, the norm is the one beyond: 0.
[[nodiscard]] FrontierPoint entmax_frontier(double weight, double length, double alpha);

/// softmax1: z = log(n·p/(1−p)); the others have q = (1−p)/n, as has the token thrown away. 0 < p < 1.
[[nodiscard]] FrontierPoint softmax1_frontier(double weight, double length);

/// Sigmoid attention σ(z + bias): z = log(p/(1−p)) − bias; diagonal, ‖J‖₂ = max(p(1−p), σ(bias)σ(−bias)). For
/// bias = −log n the margin is softmax1's. 0 < p ≤ 1;
/// at p = 1 the margin is infinite.
[[nodiscard]] FrontierPoint sigmoid_frontier(double weight, double bias);

/// Self-Adjust Softmax, p = z/(1+(n−1)e^{−z}): z = p + W₀((n−1)p·e^{−p}), W₀ Lambert's function. p > 0, beyond 1 too.
[[nodiscard]] FrontierPoint self_adjust_frontier(double weight, double length);

/// Self-Adjust Softmax, normalised: the token is the maximum and the others the minimum, so that its weight is
/// softmax's and theirs is 0. Its Jacobian is not: an own logit moves another's weight by q/z, q = (1−p)/(n−1), which
/// grows without bound as the margin closes. 1/n < p < 1.
[[nodiscard]] FrontierPoint self_adjust_normalized_frontier(double weight, double length);

enum class FrontierFunction { softplus, square, cosh };

/// F/ΣF: F(z) = F(0)·(n−1)p/(1−p), inverted on z ≥ 0. Softplus, z = log(2^ρ−1); 1+z², z = √(ρ−1); cosh,
/// z = arcosh ρ, with ρ = (n−1)p/(1−p). 1/n ≤ p < 1.
[[nodiscard]] FrontierPoint power_frontier(double weight, double length, FrontierFunction function);

}  // namespace headroom::theory
