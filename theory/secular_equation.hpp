#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

/// The direct, slow form of jacobian_norm for any real type: what a would-be violation is evaluated with again in 100
/// bits and more, and what the fast routine is tested against.
namespace headroom::theory {

/// ‖diag(α) − ααᵀ‖₂ by bisection of Σ α_i²/(α_i−λ) = 1 in [α_(2), α_(1)] and, where Σα_i > 1, below the smallest
/// positive weight, to the last bit of Real. Weights ≥ 0, at least one. O(L) per bit.
template <class Real>
[[nodiscard]] Real jacobian_norm_by_bisection(std::span<const Real> weights) {
  assert(!weights.empty());
  Real largest(0);
  Real second(0);
  Real sum(0);
  Real squares(0);
  for (const Real& weight : weights) {
    if (weight > largest) {
      second = largest;
      largest = weight;
    } else if (weight > second) {
      second = weight;
    }
    sum += weight;
    squares += weight * weight;
  }
  // Σ α_i²/(α_i−λ) − 1 increases with λ between its poles.
  const auto excess = [&](const Real& lambda) {
    Real total(-1);
    for (const Real& weight : weights) {
      if (weight > 0) total += weight * weight / (weight - lambda);
    }
    return total;
  };
  const auto bisect = [&](Real low, Real high) {
    for (int bit = 0; bit < 4 * std::numeric_limits<Real>::digits; ++bit) {
      const Real middle = low + (high - low) / 2;
      if (!(middle > low && middle < high)) break;
      (excess(middle) < 0 ? low : high) = middle;
    }
    return Real(low + (high - low) / 2);
  };
  const std::size_t repeats = [&] {
    std::size_t count = 0;
    for (const Real& weight : weights) count += weight == largest ? 1U : 0U;
    return count;
  }();
  if (weights.size() == 1) {
    const Real only = largest * (1 - largest);
    return only < 0 ? Real(-only) : only;
  }
  const Real positive = repeats > 1 ? largest : bisect(second, largest);
  if (!(sum > 1)) return positive;
  const Real negative = -bisect(Real(-squares), Real(0));
  return negative > positive ? negative : positive;
}

}  // namespace headroom::theory
