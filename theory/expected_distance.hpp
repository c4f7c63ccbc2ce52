#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "theory/row.hpp"

/// Section 2 of docs/derivations.md for a random selection: I_N uniform over all C(L,N) subsets of a row's L tokens,
/// the weights and vectors held fixed. Each by its formula in O(L·d); in the units of the vectors. Requires 1 ≤ N ≤ L;
/// N = L gives 0, the empty sum.
namespace headroom::theory {

/// `thm1.random`, E₀ rebuilt from the paper's proof text: (L−N)/L · Σ_i ‖p(c−y_i) − y_i‖, p = N/(L−1). By Jensen a
/// lower bound of E[D]: p(c−y_i) is the mean of s given that i is not selected.
template <class Real>
[[nodiscard]] Real expected_distance(const RowView<Real>& row, std::size_t top);

/// E₁: the same with the selection probability p dropped inside the norm, as if s were the whole context:
/// (L−N)/L · Σ_i ‖(c−y_i) − y_i‖. What the published Figure 2 shows.
template <class Real>
[[nodiscard]] Real expected_distance_full(const RowView<Real>& row, std::size_t top);

/// `thm1.random.sharp`, upper side: E[D] ≤ (L−N)/L · Σ_i sqrt(m_i² + v_i) with m_i = ‖p(c−y_i) − y_i‖,
/// v_i = N(1−p)·S_i², S_i² = Σ_{j≠i} ‖y_j − (c−y_i)/(L−1)‖² / (L−2): the variance of a sum of N drawn without
/// replacement from the L−1 others. L = 2: v_i = 0. The lower side is expected_distance.
template <class Real>
[[nodiscard]] Real expected_distance_upper(const RowView<Real>& row, std::size_t top);

/// `cor2.i`, the printed limit of E[D] for fixed N as L → ∞: Σ_i ‖y_i‖.
template <class Real>
[[nodiscard]] Real sum_of_norms(const RowView<Real>& row) {
  using std::abs;
  Real sum(0);
  for (std::size_t i = 0; i < row.size(); ++i) sum += abs(row.weights[i]) * norm<Real>(row.vectors.row(i));
  return sum;
}

namespace detail {

/// (L−N)/L · Σ_i sqrt(‖p(c−y_i) − y_i‖² + v_i) for a given p and spread(i) = v_i.
template <class Real, class Spread>
[[nodiscard]] Real expected_with(const RowView<Real>& row, std::size_t top, const Real& p, Spread spread) {
  using std::sqrt;
  assert(top >= 1 && top <= row.size());
  if (top == row.size()) return Real(0);
  const std::vector<Real> whole = weighted_sum(row);
  Real sum(0);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Real toward = (1 + p) * row.weights[i];
    const Real mean = norm_of_difference<Real>(p, whole, toward, row.vectors.row(i));
    sum += sqrt(Real(mean * mean + spread(i, std::span<const Real>(whole))));
  }
  return static_cast<Real>(row.size() - top) / static_cast<Real>(row.size()) * sum;
}

}  // namespace detail

template <class Real>
Real expected_distance(const RowView<Real>& row, std::size_t top) {
  if (top == row.size()) return Real(0);
  const Real p = static_cast<Real>(top) / static_cast<Real>(row.size() - 1);
  return detail::expected_with(row, top, p, [](std::size_t, std::span<const Real>) { return Real(0); });
}

template <class Real>
Real expected_distance_full(const RowView<Real>& row, std::size_t top) {
  return detail::expected_with(row, top, Real(1), [](std::size_t, std::span<const Real>) { return Real(0); });
}

template <class Real>
Real expected_distance_upper(const RowView<Real>& row, std::size_t top) {
  const std::size_t length = row.size();
  if (top == length) return Real(0);
  if (length == 2) return expected_distance(row, top);
  const Real others = static_cast<Real>(length - 1);
  const Real p = static_cast<Real>(top) / others;
  // With ȳ = c/L and z_j = y_j − ȳ, Σ_{j≠i}‖y_j − mean of the others‖² = Σ_j‖z_j‖² − ‖z_i‖²·L/(L−1).
  std::vector<Real> mean = weighted_sum(row);
  for (Real& coordinate : mean) coordinate /= static_cast<Real>(length);
  std::vector<Real> squares(length);
  Real total(0);
  for (std::size_t i = 0; i < length; ++i) {
    const Real deviation = norm_of_difference<Real>(row.weights[i], row.vectors.row(i), Real(1), mean);
    squares[i] = deviation * deviation;
    total += squares[i];
  }
  const Real factor = static_cast<Real>(top) * (1 - p) / static_cast<Real>(length - 2);
  return detail::expected_with(row, top, p, [&](std::size_t i, std::span<const Real>) {
    const Real scatter = total - squares[i] * static_cast<Real>(length) / others;
    return scatter > 0 ? Real(factor * scatter) : Real(0);
  });
}

}  // namespace headroom::theory
