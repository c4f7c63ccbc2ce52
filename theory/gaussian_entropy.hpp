#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::theory {

/// The expected entropy, in nats, of softmax(g/T) over k independent standard normal logits g, averaged over the k
/// given: what a head would have whose logits are noise of unit variance. (For large k, the random energy model.)
///
/// With β = 1/T, Z = Σ e^{βg} and φ(x) = E exp(−e^{x+βg}), E e^{−e^x Z} = φ(x)^k gives
///   E log Z = ∫_{x<0} (1 − φ^k) dx − ∫_{x>0} φ^k dx − γ,  ∂E log Z/∂β = −k ∫ φ^{k−1} ∂φ/∂β dx,
/// and the entropy is E log Z − β·∂E log Z/∂β. Every integral is a trapezoid sum of an analytic integrand. Absolute
/// error below 1e-6. Requires T in [1e-3, 1e3], k ≥ 1 and at least one k.
[[nodiscard]] double gaussian_entropy(std::span<const std::size_t> lengths, double temperature);

/// The effective temperature of a head: the T at which unit-variance Gaussian logits over the same numbers of tokens
/// have the head's mean entropy. The entropy rises with T from 0 to log k, so that there is one. It does not depend on
/// what the head's logits are multiplied by or divided by, only on how sharp its weights are.
///
/// Interpolates the monotone table of T over 1e-3 … 1e3; T is right to 1e-3 relative. Immutable.
class EffectiveTemperature {
 public:
  /// @param lengths the tokens every query sees, at least one of them two or more
  explicit EffectiveTemperature(std::span<const std::size_t> lengths);

  /// @param entropy mean over the queries, in nats. Beyond the table, the nearer of its ends.
  [[nodiscard]] double of(double entropy) const;

  static constexpr double lowest = 1e-3;
  static constexpr double highest = 1e3;

 private:
  std::vector<double> log_temperature_;
  std::vector<double> log_entropy_;  // strictly increasing
};

}  // namespace headroom::theory
