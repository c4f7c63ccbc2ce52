#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "theory/exclusion.hpp"
#include "theory/interval.hpp"

/// Section 3 of docs/derivations.md, what is claimed: bounds of N_s(r)/N from the N selected weights alone.
/// M is the largest ‖x_i‖, δ ≥ 0 the smallest pairwise distance, r ≥ 0 the radius, all in the units of the vectors.
namespace headroom::theory {

/// ξ_i = sqrt(M²·Σ_{j∈I∖i} α_j² + (M²−δ²/2)·Σ_{j≠k∈I∖i} α_jα_k) for every selected i, the largest ‖s−y_i‖ that
/// x_j·x_k ≤ M² − δ²/2 allows. N = 1 gives exactly 0. Requires non-negative weights.
template <class Real>
[[nodiscard]] std::vector<Real> context_reach(std::span<const Real> selected, const Real& largest_norm,
                                              const Real& separation) {
  using std::sqrt;
  std::vector<Real> squares(selected.size());
  for (std::size_t i = 0; i < selected.size(); ++i) squares[i] = selected[i] * selected[i];
  const ExcludedSums<Real> of_squares = excluded_sums<Real>(squares);
  const ExcludedSums<Real> of_weights = excluded_sums<Real>(selected);
  const Real own = largest_norm * largest_norm;
  const Real cross = own - separation * separation / 2;
  std::vector<Real> reach(selected.size());
  for (std::size_t i = 0; i < selected.size(); ++i) {
    const Real square = own * of_squares.first[i] + 2 * cross * of_weights.second[i];
    // Negative only by rounding, where the vectors sum to zero.
    reach[i] = square > 0 ? Real(sqrt(square)) : Real(0);
  }
  return reach;
}

/// `thm2.lower`, rebuilt from the paper's proof text (Theorem 2): N_s/N ≥ 1 − Σξ_i/(rN). r = 0 gives −∞, as nothing is
/// claimed there; N = 1 and r > 0 give 1. `reach` is ξ, not empty.
template <class Real>
[[nodiscard]] Real separable_lower_printed(std::span<const Real> reach, const Real& radius) {
  assert(!reach.empty() && radius >= 0);
  if (radius == 0) return -std::numeric_limits<Real>::infinity();
  Real sum(0);
  for (const Real& xi : reach) sum += xi;
  return 1 - sum / (radius * static_cast<Real>(reach.size()));
}

/// `thm2.upper`, rebuilt from the paper's proof text: E[N_s]/N ≤ (1/N)Σ exp(−(ξ_i−r)₊²/(2M²)). Refuted: the proof puts
/// ξ_i, an upper bound of E‖s−y_i‖, where a lower bound is needed. Requires M > 0.
template <class Real>
[[nodiscard]] Real separable_upper_printed(std::span<const Real> reach, const Real& radius, const Real& largest_norm) {
  using std::exp;
  assert(!reach.empty() && largest_norm > 0);
  Real sum(0);
  for (const Real& xi : reach) {
    const Real excess = xi > radius ? Real((xi - radius) / largest_norm) : Real(0);
    sum += exp(Real(-excess * excess / 2));
  }
  return sum / static_cast<Real>(reach.size());
}

/// The relative margin of `thm2.lower.sharp`: keeps exact equality, as in one-hot rows, out of rounding's hands.
inline constexpr double reach_margin = 1e-12;

/// `thm2.lower.sharp`: N_s/N ≥ (1/N)·#{i : ξ_i < r(1−10⁻¹²)}, with certainty.
template <class Real>
[[nodiscard]] Real separable_lower_sharp(std::span<const Real> reach, const Real& radius) {
  assert(!reach.empty());
  const Real threshold = radius * (1 - Real(reach_margin));
  std::size_t certain = 0;
  for (const Real& xi : reach) {
    if (xi < threshold) ++certain;
  }
  return static_cast<Real>(certain) / static_cast<Real>(reach.size());
}

/// `thm2.sharp`: Cantelli's bounds of E[N_s(r)]/N for r fixed, x_i uniform and independent on the sphere of radius M in
/// R^d, δ = 0. With η_i² = M²Σ_{j∈I∖i} α_j² = E‖s−y_i‖² and V_i = (4M⁴/d)·Σ_{j<k∈I∖i} α_j²α_k² = Var ‖s−y_i‖²:
/// P(‖s−y_i‖ ≤ r) ≤ V_i/(V_i+(η_i²−r²)²) for r < η_i, ≥ 1 − V_i/(V_i+(r²−η_i²)²) for r > η_i, trivial at r = η_i.
/// The mean over i of both sides. Conditioning on a separation δ multiplies each P by at most 1/(acceptance
/// probability). `selected`: the N weights, ≥ 0, not empty.
template <class Real>
[[nodiscard]] Interval<Real> separable_bounds_sharp(std::span<const Real> selected, const Real& radius,
                                                    const Real& largest_norm, std::size_t dim) {
  assert(!selected.empty() && radius >= 0 && dim >= 2);
  const Real square_norm = largest_norm * largest_norm;
  std::vector<Real> squares(selected.size());
  for (std::size_t i = 0; i < selected.size(); ++i) squares[i] = square_norm * selected[i] * selected[i];
  const ExcludedSums<Real> sums = excluded_sums<Real>(squares);
  Real lower(0);
  Real upper(0);
  for (std::size_t i = 0; i < selected.size(); ++i) {
    const Real variance = 4 * sums.second[i] / static_cast<Real>(dim);
    const Real gap = radius * radius - sums.first[i];
    if (gap == 0) {
      upper += 1;
      continue;
    }
    const Real tail = variance / (variance + gap * gap);
    if (gap > 0) {
      lower += 1 - tail;
      upper += 1;
    } else {
      upper += tail;
    }
  }
  const Real count = static_cast<Real>(selected.size());
  return {Real(lower / count), Real(upper / count)};
}

}  // namespace headroom::theory
