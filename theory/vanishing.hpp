#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>

#include "theory/interval.hpp"

/// Section 1 of docs/derivations.md: what a normalizer α_i = F(l_i) / Σ_j F(l_j) with F independent of L does to its
/// weights. Real is double or any type with the usual arithmetic and exp, log found by argument-dependent lookup.
namespace headroom::theory {

/// `lemma1`, as printed (arXiv 2508.17821, Lemma 1): C1/L ≤ α_i ≤ C2/L with C1 = Fmin/Fmax and C2 = Fmax/Fmin, extrema
/// over the interval the logits lie in. Requires 0 < f_min ≤ f_max and length ≥ 1.
template <class Real>
[[nodiscard]] Interval<Real> weight_bounds_printed(const Real& f_min, const Real& f_max, std::size_t length) {
  assert(f_min > 0 && f_min <= f_max && length >= 1);
  const Real count = static_cast<Real>(length);
  return {Real(f_min / f_max / count), Real(f_max / f_min / count)};
}

/// `lemma1.sharp`: Fmin/(Fmin + (L−1)Fmax) ≤ α_i ≤ Fmax/(Fmax + (L−1)Fmin), attained by one logit at one end and the
/// rest at the other. Same domain as the printed form, which it never exceeds.
template <class Real>
[[nodiscard]] Interval<Real> weight_bounds_sharp(const Real& f_min, const Real& f_max, std::size_t length) {
  assert(f_min > 0 && f_min <= f_max && length >= 1);
  const Real others = static_cast<Real>(length - 1);
  return {Real(f_min / (f_min + others * f_max)), Real(f_max / (f_max + others * f_min))};
}

/// `cor1`, as printed: e^{−2Δ/T}/L ≤ α_i ≤ e^{2Δ/T}/L for softmax and logits in [−Δ, Δ]. Requires Δ ≥ 0, T > 0.
template <class Real>
[[nodiscard]] Interval<Real> softmax_weight_bounds_printed(const Real& logit_bound, const Real& temperature,
                                                           std::size_t length) {
  using std::exp;
  assert(logit_bound >= 0 && temperature > 0 && length >= 1);
  const Real spread = 2 * logit_bound / temperature;
  const Real count = static_cast<Real>(length);
  return {Real(exp(Real(-spread)) / count), Real(exp(spread) / count)};
}

/// `cor1.sharp`: 1/(1 + (L−1)e^{2Δ/T}) ≤ α_i ≤ 1/(1 + (L−1)e^{−2Δ/T}). Same domain as the printed form.
/// Where e^{2Δ/T} overflows the lower bound is 0, its limit; L = 1 gives {1, 1}.
template <class Real>
[[nodiscard]] Interval<Real> softmax_weight_bounds_sharp(const Real& logit_bound, const Real& temperature,
                                                         std::size_t length) {
  using std::exp;
  assert(logit_bound >= 0 && temperature > 0 && length >= 1);
  if (length == 1) return {Real(1), Real(1)};
  const Real spread = 2 * logit_bound / temperature;
  const Real others = static_cast<Real>(length - 1);
  return {Real(1 / (1 + others * exp(spread))), Real(1 / (1 + others * exp(Real(-spread))))};
}

/// Shannon entropy −Σ α_i log α_i in nats; zero weights contribute 0. Weights ≥ 0; any sum is accepted.
template <class Real>
[[nodiscard]] Real entropy(std::span<const Real> weights) {
  using std::log;
  Real sum(0);
  for (const Real& weight : weights) {
    if (weight > 0) sum -= weight * log(weight);
  }
  return sum;
}

/// The least entropy, in nats, softmax can reach on logits in [−Δ, Δ] by `cor1.sharp`:
/// H(α) ≥ −log max α ≥ log(1 + (L−1)e^{−2Δ/T}). Same domain.
template <class Real>
[[nodiscard]] Real entropy_lower(const Real& logit_bound, const Real& temperature, std::size_t length) {
  using std::exp;
  using std::log1p;
  assert(logit_bound >= 0 && temperature > 0 && length >= 1);
  const Real others = static_cast<Real>(length - 1);
  return log1p(Real(others * exp(Real(-2 * logit_bound / temperature))));
}

/// The margin, in logits, that one token needs over all L−1 others to keep softmax weight p:
/// m = T·log((L−1)p/(1−p)). Requires 0 < p < 1, L ≥ 2, T > 0. Negative where p < 1/L.
template <class Real>
[[nodiscard]] Real margin_for_weight(const Real& weight, std::size_t length, const Real& temperature) {
  using std::log;
  assert(weight > 0 && weight < 1 && length >= 2 && temperature > 0);
  const Real others = static_cast<Real>(length - 1);
  return temperature * log(Real(others * weight / (1 - weight)));
}

/// `escape`: the weight Scalable-Softmax, softmax(s·log(L)·z), gives one logit ahead of L−1 equal ones by m:
/// 1/(1 + (L−1)·L^{−s·m}). L = 1 gives 1.
template <class Real>
[[nodiscard]] Real scalable_softmax_weight(const Real& scale, const Real& margin, std::size_t length) {
  using std::exp;
  using std::log;
  assert(length >= 1);
  const Real count = static_cast<Real>(length);
  return 1 / (1 + (count - 1) * exp(Real(-scale * margin * log(count))));
}

/// The limit of scalable_softmax_weight as L → ∞: 1 if s·m > 1, ½ at s·m = 1, 0 below.
template <class Real>
[[nodiscard]] Real scalable_softmax_limit(const Real& scale, const Real& margin) {
  const Real product = scale * margin;
  if (product > 1) return Real(1);
  return product < 1 ? Real(0) : Real(1) / 2;
}

}  // namespace headroom::theory
