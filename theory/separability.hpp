#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "theory/row.hpp"
#include "theory/selection.hpp"

/// Section 3 of docs/derivations.md, what is observed: which selected tokens lie nearer to the context vector than
/// every non-selected one. Each by its formula in O(L·d). y_i = α_i x_i, s = Σ_{i∈I} y_i.
namespace headroom::theory {

/// r = min_{j∈O} ‖s − y_j‖₂, in the units of the vectors. Requires at least one non-selected token.
template <class Real>
[[nodiscard]] Real separation_radius(const RowView<Real>& row, const Selection& selection) {
  assert(!selection.rest.empty());
  const std::vector<Real> context = weighted_sum(row, selection.selected);
  Real radius(0);
  bool first = true;
  for (const std::size_t j : selection.rest) {
    const Real apart = norm_of_difference<Real>(Real(1), context, row.weights[j], row.vectors.row(j));
    if (first || apart < radius) radius = apart;
    first = false;
  }
  return radius;
}

/// N_s/N with r the non-selected minimum: the share of i ∈ I with u_i < min_{j∈O} u_j, where
/// u_i = ‖s−y_i‖² − ‖s‖² = α_i²‖x_i‖² − 2α_i s·x_i, without the common ‖s‖² that would drown small differences.
/// Exact ties do not separate. Requires both sides non-empty.
template <class Real>
[[nodiscard]] Real separable_fraction(const RowView<Real>& row, const Selection& selection) {
  assert(!selection.selected.empty() && !selection.rest.empty());
  const std::vector<Real> context = weighted_sum(row, selection.selected);
  const auto offset = [&](std::size_t i) {
    const std::span<const Real> vector = row.vectors.row(i);
    const Real& weight = row.weights[i];
    return Real(weight * (weight * dot<Real>(vector, vector) - 2 * dot<Real>(context, vector)));
  };
  Real least = offset(selection.rest.front());
  for (const std::size_t j : selection.rest) {
    const Real candidate = offset(j);
    if (candidate < least) least = candidate;
  }
  std::size_t separable = 0;
  for (const std::size_t i : selection.selected) {
    if (offset(i) < least) ++separable;
  }
  return static_cast<Real>(separable) / static_cast<Real>(selection.selected.size());
}

/// N_s(r)/N for a given radius: the share of i ∈ I with ‖s−y_i‖ < r. Requires a non-empty selection.
template <class Real>
[[nodiscard]] Real separable_fraction_within(const RowView<Real>& row, const Selection& selection, const Real& radius) {
  assert(!selection.selected.empty());
  const std::vector<Real> context = weighted_sum(row, selection.selected);
  std::size_t separable = 0;
  for (const std::size_t i : selection.selected) {
    if (norm_of_difference<Real>(Real(1), context, row.weights[i], row.vectors.row(i)) < radius) ++separable;
  }
  return static_cast<Real>(separable) / static_cast<Real>(selection.selected.size());
}

}  // namespace headroom::theory
