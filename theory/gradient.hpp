#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

/// Section 4 of docs/derivations.md: how far the weights can move when the logits do. J = ∂α/∂l; for softmax
/// J = (diag(α) − ααᵀ)/T.
namespace headroom::theory {

/// `lemma2`, the rigorous form of the printed bound: ‖J‖₂ ≤ (max|F'|/(L·Fmin))·(1 + sqrt(Fmax/Fmin)) for α = F/ΣF,
/// extrema over the row's logits. Requires 0 < f_min ≤ f_max, L ≥ 1.
template <class Real>
[[nodiscard]] Real jacobian_bound(const Real& largest_slope, const Real& f_min, const Real& f_max, std::size_t length) {
  using std::sqrt;
  assert(largest_slope >= 0 && f_min > 0 && f_min <= f_max && length >= 1);
  return largest_slope / (static_cast<Real>(length) * f_min) * (1 + sqrt(Real(f_max / f_min)));
}

/// `cor3`, as printed: softmax ‖J‖₂ ≤ min{1/(4T), √2}. Refuted: 1/(4T) bounds the entries of J, and √2 bounds
/// ‖α'−α‖₂, not ‖J‖₂.
template <class Real>
[[nodiscard]] Real softmax_jacobian_bound_printed(const Real& temperature) {
  using std::sqrt;
  assert(temperature > 0);
  const Real entry = 1 / (4 * temperature);
  const Real cap = sqrt(Real(2));
  return entry < cap ? entry : cap;
}

/// `cor3.sharp`: softmax ‖J‖₂ ≤ 1/(2T), attained by two equal logits ahead of all others.
template <class Real>
[[nodiscard]] Real softmax_jacobian_bound_sharp(const Real& temperature) {
  assert(temperature > 0);
  return 1 / (2 * temperature);
}

/// `cor3.sharp` for a finite step: g(T, ε) ≤ min{1/(2T), √2/ε}. Requires T > 0, ε > 0.
template <class Real>
[[nodiscard]] Real softmax_response_bound(const Real& temperature, const Real& epsilon) {
  using std::sqrt;
  assert(temperature > 0 && epsilon > 0);
  const Real slope = 1 / (2 * temperature);
  const Real cap = sqrt(Real(2)) / epsilon;
  return slope < cap ? slope : cap;
}

/// softmax(l/T), shifted by its largest logit. l not empty; −∞ is a token that is not there.
template <class Real>
[[nodiscard]] std::vector<Real> softmax(std::span<const Real> logits, const Real& temperature) {
  using std::exp;
  assert(!logits.empty() && temperature > 0);
  Real largest = logits[0];
  for (const Real& logit : logits) {
    if (logit > largest) largest = logit;
  }
  std::vector<Real> weights(logits.size());
  Real sum(0);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    weights[i] = exp(Real((logits[i] - largest) / temperature));
    sum += weights[i];
  }
  for (Real& weight : weights) weight /= sum;
  return weights;
}

/// g(T, ε) = ‖softmax((l+εv)/T) − softmax(l/T)‖₂ / ε, ‖v‖₂ = 1. Where no logit moves by more than T the difference is
/// formed from e_i = expm1(ε(v_i−v_m)/T), m the largest logit, as α_i(e_i − Σα_k e_k)/(1 + Σα_k e_k), which keeps its
/// digits as ε → 0 and in rows next to one-hot; beyond, the two softmaxes are subtracted. Finite logits; requires T >
/// 0, ε > 0.
template <class Real>
[[nodiscard]] Real softmax_response(std::span<const Real> logits, std::span<const Real> direction,
                                    const Real& temperature, const Real& epsilon) {
  using std::abs;
  using std::expm1;
  using std::sqrt;
  assert(logits.size() == direction.size() && epsilon > 0);
  const std::vector<Real> weights = softmax(logits, temperature);
  const auto top = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  Real largest_step(0);
  for (const Real& component : direction) {
    const Real step = abs(Real(component * epsilon / temperature));
    if (step > largest_step) largest_step = step;
  }
  Real sum_of_squares(0);
  if (largest_step <= 1) {
    // Weights do not change when all logits move alike: measured from the largest, its own growth is exactly 0.
    std::vector<Real> growth(logits.size());
    Real mean(0);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      growth[i] = expm1(Real((direction[i] - direction[top]) * epsilon / temperature));
      mean += weights[i] * growth[i];
    }
    for (std::size_t i = 0; i < logits.size(); ++i) {
      const Real change = weights[i] * (growth[i] - mean) / (1 + mean);
      sum_of_squares += change * change;
    }
  } else {
    std::vector<Real> moved(logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i) moved[i] = logits[i] + epsilon * direction[i];
    const std::vector<Real> after = softmax<Real>(moved, temperature);
    // The changes sum to 0, which gives the largest weight's its digits where it is next to 1.
    Real opposite(0);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      if (i == top) continue;
      const Real change = after[i] - weights[i];
      opposite += change;
      sum_of_squares += change * change;
    }
    sum_of_squares += opposite * opposite;
  }
  return sqrt(sum_of_squares) / epsilon;
}

}  // namespace headroom::theory
