#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/double_double.hpp"

namespace headroom::sim {

/// α-entmax for α > 2, of candidates in decreasing order: the weights p_i = (D_i + P^{α−1})^β, β = 1/(α−1), of those
/// with any.
///
/// The exponent β < 1 makes the smallest weight P far coarser than its threshold — at α = 64 a weight of 10⁻⁶ lies
/// 10⁻³⁷⁸ above it — so P itself is solved for. The sum is convex in P and Newton from above is monotone.
/// @param distance distance(i, k) = y_i − y_k >= 0 for i <= k, y = (α−1)·z
template <class Distance>
std::vector<double> solve_steep(std::size_t count, Distance distance, double alpha) {
  const double beta = 1 / (alpha - 1);
  std::vector<double> terms;
  const auto sum_at_zero = [&](std::size_t k) {  // Σ when token k has just no weight
    terms.clear();
    for (std::size_t i = 0; i < k; ++i) terms.push_back(std::pow(distance(i, k), beta));
    return sum_of(terms).hi;
  };
  std::size_t support = 1;
  for (std::size_t beyond = count; beyond - support > 0;) {
    const std::size_t middle = support + (beyond - support) / 2;
    if (sum_at_zero(middle) < 1) {
      support = middle + 1;
    } else {
      beyond = middle;
    }
  }

  const std::size_t last = support - 1;
  double smallest = 1;
  std::vector<double> p(support);
  for (int step = 0; step < 200; ++step) {
    const double threshold = std::pow(smallest, alpha - 1);
    double slope = 0;
    for (std::size_t i = 0; i < support; ++i) {
      const double d = distance(i, last);
      p[i] = d == 0 ? smallest : std::pow(d + threshold, beta);
      slope += d == 0 ? 1 : std::pow(smallest, alpha - 2) * (p[i] / (d + threshold));
    }
    const DoubleDouble excess = sum_of(p) - DoubleDouble{1, 0};
    const double next = smallest - (excess.hi + excess.lo) / slope;
    if (!(next < smallest) || !(next > 0)) break;
    smallest = next;
  }
  return p;
}

}  // namespace headroom::sim
