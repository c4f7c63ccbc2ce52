#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "theory/interval.hpp"
#include "theory/row.hpp"
#include "theory/selection.hpp"

/// Section 2 of docs/derivations.md for a fixed selection: the cumulative distance and its bounds, each by its formula
/// in O(L·d), but for the printed bound, whose d₁ takes O(N·(L−N)·d). An empty rest gives 0 throughout.
namespace headroom::theory {

/// D(I_N) = Σ_{i∈O} ‖s − y_i‖₂ (arXiv 2508.17821, eq. 7), y_i = α_i x_i, s = Σ_{i∈I} y_i. In the units of the vectors.
template <class Real>
[[nodiscard]] Real distance(const RowView<Real>& row, const Selection& selection) {
  const std::vector<Real> context = weighted_sum(row, selection.selected);
  Real sum(0);
  for (const std::size_t token : selection.rest) {
    sum += norm_of_difference<Real>(Real(1), context, row.weights[token], row.vectors.row(token));
  }
  return sum;
}

/// `thm1.fixed`, the bound of Theorem 1 rebuilt from the paper's proof text:
/// D ≤ d₁·Σ_O α_i + |(L−N)ᾱ − Σ_O α_i|·max_{j∈I}‖x_j‖, d₁ = max_{i∈O, j∈I} ‖x_i − x_j‖.
/// It follows from s − y_i = (ᾱ−α_i)x̄ − α_i(x_i−x̄) by the triangle inequality, given ᾱ ≥ α_i ≥ 0 for i ∈ O, as the
/// top N have. Requires non-negative weights.
template <class Real>
[[nodiscard]] Real distance_upper_printed(const RowView<Real>& row, const Selection& selection) {
  using std::abs;
  Real diameter(0);
  Real longest(0);
  for (const std::size_t j : selection.selected) {
    const Real length = norm<Real>(row.vectors.row(j));
    if (length > longest) longest = length;
    for (const std::size_t i : selection.rest) {
      const Real apart = norm_of_difference<Real>(Real(1), row.vectors.row(i), Real(1), row.vectors.row(j));
      if (apart > diameter) diameter = apart;
    }
  }
  const Real selected = mass<Real>(row.weights, selection.selected);
  const Real rest = mass<Real>(row.weights, selection.rest);
  const Real count = static_cast<Real>(selection.rest.size());
  return diameter * rest + abs(Real(count * selected - rest)) * longest;
}

/// `thm1.fixed.sharp`: |D − ‖x̄‖·Σ_O|ᾱ−α_i|| ≤ Σ_O α_i‖x_i−x̄‖, x̄ = s/ᾱ (0 when ᾱ = 0): the same identity without the
/// two maxima, on both sides. The lower side is clamped at 0. Requires non-negative weights.
template <class Real>
[[nodiscard]] Interval<Real> distance_bounds_sharp(const RowView<Real>& row, const Selection& selection) {
  using std::abs;
  const Real selected = mass<Real>(row.weights, selection.selected);
  std::vector<Real> mean = weighted_sum(row, selection.selected);
  for (Real& coordinate : mean) coordinate = selected > 0 ? Real(coordinate / selected) : Real(0);
  Real gaps(0);
  Real radius(0);
  for (const std::size_t i : selection.rest) {
    gaps += abs(Real(selected - row.weights[i]));
    radius += row.weights[i] * norm_of_difference<Real>(Real(1), row.vectors.row(i), Real(1), mean);
  }
  const Real centre = norm<Real>(mean) * gaps;
  return {centre > radius ? Real(centre - radius) : Real(0), Real(centre + radius)};
}

}  // namespace headroom::theory
