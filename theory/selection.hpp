#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace headroom::theory {

/// A split of a row's tokens into the selected I_N and the rest O_N, as indices into the row.
struct Selection {
  std::vector<std::size_t> selected;
  std::vector<std::size_t> rest;
};

/// Token indices by decreasing weight; of equal weights the lower index comes first. NaN is not allowed.
template <class Real>
[[nodiscard]] std::vector<std::size_t> decreasing_order(std::span<const Real> weights) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  return order;
}

/// I_N, the `top` largest weights, and O_N, the others, each by decreasing weight. Requires top ≤ L.
template <class Real>
[[nodiscard]] Selection select_top(std::span<const Real> weights, std::size_t top) {
  assert(top <= weights.size());
  const std::vector<std::size_t> order = decreasing_order(weights);
  const auto cut = order.begin() + static_cast<std::ptrdiff_t>(top);
  return {{order.begin(), cut}, {cut, order.end()}};
}

/// Σ α_i over the given tokens: ᾱ for the selected ones.
template <class Real>
[[nodiscard]] Real mass(std::span<const Real> weights, std::span<const std::size_t> tokens) {
  Real sum(0);
  for (const std::size_t token : tokens) sum += weights[token];
  return sum;
}

}  // namespace headroom::theory
