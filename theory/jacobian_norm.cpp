#include "theory/jacobian_norm.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "theory/jacobian_kernels.hpp"

namespace headroom::theory {
namespace {

/// diag(w) − wwᵀ/τ with the largest weight singled out; rest = τ − largest is given apart, as it may be known exactly
/// where τ − largest would cancel.
struct Problem {
  std::span<const double> weights;
  std::size_t index;
  TopTwo top;
  double rest;
};

/// The root, above the pole q, of (τλ−c)/(w₁−λ) = r + s/(λ−q), c = w₁·rest, as its distance from q.
double model_root(const Problem& problem, double r, double s, double q) {
  const double scale = problem.top.largest + problem.rest;
  const double reach = problem.top.largest - q;
  const double a = scale + r;
  const double b = scale * q - problem.top.largest * problem.rest - reach * r + s;
  const double root = std::sqrt(b * b + 4.0 * a * reach * s);
  return b >= 0.0 ? 2.0 * reach * s / (b + root) : (root - b) / (2.0 * a);
}

/// The largest eigenvalue, in (w₂, w₁): the root of (τλ−c)/(w₁−λ) = ψ(λ), which is Σ w²/(w−λ) = τ with the pole at w₁
/// kept exact. Each step replaces ψ by r + s/(λ−q) with the same value and first two derivatives, which converges
/// cubically; a bracket catches what rounding may do. Requires w₁ > w₂ > 0.
double largest_eigenvalue(const Problem& problem, const Sums& powers) {
  const auto [largest, second] = problem.top;
  const double scale = largest + problem.rest;
  double low = second;
  double high = largest;
  // Two lower bounds by Jensen's inequality; the better one corrected for the weights below the second.
  const double mean = powers.third / powers.second;
  double lambda = std::max(mean + model_root(problem, 0.0, powers.second, mean),
                           second + model_root(problem, 0.0, second * second, second));
  const double below = std::max(0.0, powers.second - second * second);
  const double centre = below > 0.0 ? std::clamp((powers.third - second * second * second) / below, 0.0, second) : 0.0;
  if (lambda > centre) {
    lambda = second + model_root(problem, below / (lambda - centre), second * second, second);
  }
  for (int iteration = 0; iteration < 100; ++iteration) {
    if (!(lambda > low && lambda < high)) lambda = low + (high - low) / 2;
    if (!(lambda > low && lambda < high)) break;
    const Sums sums = pole_sums(problem.weights, problem.index, lambda);
    const double value = (scale * lambda - largest * problem.rest) / (largest - lambda) - sums.first;
    if (value == 0.0) break;
    (value < 0.0 ? low : high) = lambda;
    const double reach = sums.second / sums.third;
    const double strength = sums.second * reach * reach;
    const double constant = std::max(0.0, sums.first - sums.second * reach);
    const double next = (lambda - reach) + model_root(problem, constant, strength, lambda - reach);
    const double step = std::abs(next - lambda);
    const double gap = std::min(next, lambda) - second;
    lambda = next;
    // The next error is about step³/gap².
    if (step * step * step <= 1e-13 * largest * gap * gap && next >= low && next <= high) break;
  }
  return std::clamp(lambda, low, high);
}

/// The size of the negative eigenvalue of diag(w) − wwᵀ for Σw > 1: μ with Σ w²/(w+μ) = 1. Newton's method on the
/// reciprocal, which is concave: it climbs to the root from μ = 0 without passing it.
double negative_eigenvalue(std::span<const double> weights) {
  double mu = 0.0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    double value = 0.0;
    double slope = 0.0;
    for (const double weight : weights) {
      if (weight <= 0.0) continue;
      const double ratio = weight / (weight + mu);
      value += weight * ratio;
      slope += ratio * ratio;
    }
    const double step = value * (value - 1.0) / slope;
    if (!(step > 0.0)) break;
    mu += step;
    if (step <= 1e-15 * mu) break;
  }
  return mu;
}

/// An eigenvalue of diag(w) − wwᵀ/τ; `tied` when it is the common value of the two largest weights.
struct Eigenvalue {
  double value;
  bool tied;
  std::size_t index;
};

std::size_t index_of(std::span<const double> weights, double value) {
  return static_cast<std::size_t>(std::find(weights.begin(), weights.end(), value) - weights.begin());
}

/// Below this, products of two weights may underflow.
constexpr double tiny = 1e-60;

/// The eigenvalue of largest magnitude of diag(α) − ααᵀ.
Eigenvalue dominant_eigenvalue(std::span<const double> weights) {
  assert(!weights.empty());
  const TopTwo top = top_two(weights);
  if (!(top.largest > 0.0)) return {0.0, false, 0};
  const std::size_t index = index_of(weights, top.largest);
  if (weights.size() == 1) return {top.largest * (1.0 - top.largest), false, 0};
  // ααᵀ is then nothing beside diag(α).
  if (top.largest < tiny) return {top.largest, top.largest == top.second, index};
  const Sums powers = power_sums(weights, index);
  Eigenvalue result{top.largest, true, index};
  if (top.largest - top.second > 4.0 * std::numeric_limits<double>::epsilon() * top.largest) {
    const Problem problem{weights, index, top, 1.0 - top.largest};
    const double alone = top.largest * (1.0 - top.largest);
    const bool single = top.second < tiny * top.largest;
    result = {single ? std::max(alone, top.second) : largest_eigenvalue(problem, powers), false, index};
  }
  const double excess = powers.first - (1.0 - top.largest);
  // αᵀ-weighted Cauchy–Schwarz: the negative eigenvalue is at most (Σα − 1)·α₍₁₎ in size.
  if (excess * top.largest > result.value) {
    const double negative = negative_eigenvalue(weights);
    if (negative > result.value) return {-negative, false, index};
  }
  return result;
}

}  // namespace

double jacobian_norm(std::span<const double> weights) { return std::abs(dominant_eigenvalue(weights).value); }

double projected_jacobian_norm(std::span<const double> weights) {
  assert(!weights.empty());
  const TopTwo top = top_two(weights);
  if (weights.size() == 1 || !(top.second > 0.0)) return 0.0;
  if (top.largest < tiny || top.second < tiny * top.largest) {
    // Scaling by a power of two is exact and the norm scales with it; what still underflows cannot matter.
    int exponent = 0;
    std::frexp(top.largest, &exponent);
    std::vector<double> scaled(weights.size());
    std::transform(weights.begin(), weights.end(), scaled.begin(),
                   [&](double weight) { return std::ldexp(weight, -exponent); });
    const double second = std::ldexp(top.second, -exponent);
    if (second < tiny) {
      // One weight far above all others: the norm is 2w₂ to w₂·L, of no consequence at this size but of the right
      // order.
      double rest = 0.0;
      for (const double weight : scaled) rest += weight;
      rest -= std::ldexp(top.largest, -exponent);
      return std::ldexp(std::max(rest, second), exponent);
    }
    return std::ldexp(projected_jacobian_norm(scaled), exponent);
  }
  if (top.largest - top.second <= 4.0 * std::numeric_limits<double>::epsilon() * top.largest) return top.largest;
  const std::size_t index = index_of(weights, top.largest);
  const Sums powers = power_sums(weights, index);
  return largest_eigenvalue({weights, index, top, powers.first}, powers);
}

double jacobian_top_vector(std::span<const double> weights, std::span<double> vector) {
  assert(vector.size() == weights.size());
  const Eigenvalue eigenvalue = dominant_eigenvalue(weights);
  std::fill(vector.begin(), vector.end(), 0.0);
  const auto unit = [&](std::size_t index) {
    vector[index] = 1.0;
    return std::abs(eigenvalue.value);
  };
  if (eigenvalue.tied) {
    // The second largest equals the largest to rounding: the first such token beside it.
    const double threshold = eigenvalue.value * (1.0 - 8.0 * std::numeric_limits<double>::epsilon());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (i == eigenvalue.index || weights[i] < threshold) continue;
      vector[eigenvalue.index] = std::sqrt(0.5);
      vector[i] = -std::sqrt(0.5);
      return eigenvalue.value;
    }
  }
  if (eigenvalue.value == 0.0) return unit(eigenvalue.index);
  const double largest = resolvent(weights, eigenvalue.value, vector);
  if (!std::isfinite(largest)) {
    std::fill(vector.begin(), vector.end(), 0.0);
    return unit(index_of(weights, eigenvalue.value));
  }
  normalize(1 / largest, vector);
  return std::abs(eigenvalue.value);
}

double jacobian_frobenius_norm(std::span<const double> weights) {
  // Σ_i (α_i(1−α_i))² + 2Σ_{i<j} α_i²α_j²; scaled, as squares of small weights underflow.
  const double largest = weights.empty() ? 0.0 : *std::max_element(weights.begin(), weights.end());
  if (!(largest > 0.0)) return 0.0;
  double diagonal = 0.0;
  double off_diagonal = 0.0;
  double before = 0.0;
  for (const double weight : weights) {
    const double scaled = weight / largest;
    const double entry = scaled * (1.0 - weight);
    diagonal += entry * entry;
    off_diagonal += scaled * scaled * before;
    before += scaled * scaled;
  }
  return largest * std::sqrt(diagonal + 2.0 * largest * largest * off_diagonal);
}

}  // namespace headroom::theory
