#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/matrix_view.hpp"

namespace headroom::theory {

/// What one query attends to: the weights α_i of the L tokens it sees and their vectors x_i, a row each (L × d).
/// Masked tokens are not in it. Real is double, or a multiprecision type when a would-be violation is evaluated again.
template <class Real>
struct RowView {
  std::span<const Real> weights;
  MatrixView<const Real> vectors;

  [[nodiscard]] std::size_t size() const { return weights.size(); }
  [[nodiscard]] std::size_t dim() const { return vectors.cols; }
};

template <class Real>
[[nodiscard]] Real dot(std::span<const Real> a, std::span<const Real> b) {
  assert(a.size() == b.size());
  Real sum(0);
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

template <class Real>
[[nodiscard]] Real norm(std::span<const Real> a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

/// ‖p·a − q·b‖₂, each coordinate subtracted before it is squared.
template <class Real>
[[nodiscard]] Real norm_of_difference(const Real& p, std::span<const Real> a, const Real& q, std::span<const Real> b) {
  using std::sqrt;
  assert(a.size() == b.size());
  Real sum(0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Real difference = p * a[k] - q * b[k];
    sum += difference * difference;
  }
  return sqrt(sum);
}

/// Σ_i α_i x_i over the given tokens: s for the selected ones.
template <class Real>
[[nodiscard]] std::vector<Real> weighted_sum(const RowView<Real>& row, std::span<const std::size_t> tokens) {
  std::vector<Real> sum(row.dim(), Real(0));
  for (const std::size_t token : tokens) {
    const Real& weight = row.weights[token];
    const std::span<const Real> vector = row.vectors.row(token);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += weight * vector[k];
  }
  return sum;
}

/// c = Σ_i α_i x_i over every token of the row.
template <class Real>
[[nodiscard]] std::vector<Real> weighted_sum(const RowView<Real>& row) {
  std::vector<Real> sum(row.dim(), Real(0));
  for (std::size_t token = 0; token < row.size(); ++token) {
    const std::span<const Real> vector = row.vectors.row(token);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += row.weights[token] * vector[k];
  }
  return sum;
}

}  // namespace headroom::theory
