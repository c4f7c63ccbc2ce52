#pragma once

#include <span>
#include <string>
#include <vector>

#include "theory/row.hpp"
#include "verify/claims/point_input.hpp"

namespace headroom::verify {

/// The numbers of an input in the precision of an evaluation. Real is double or Exact.
template <class Real>
[[nodiscard]] std::vector<Real> as(std::span<const double> values) {
  return {values.begin(), values.end()};
}

/// The weights of an input: by sim's normalizer in double, by its definition in Exact.
template <class Real>
[[nodiscard]] std::vector<Real> weights_of(const PointInput& input);

/// Weights and vectors of an input, owned.
template <class Real>
struct PointRow {
  std::vector<Real> weights;
  std::vector<Real> vectors;
  std::size_t dim = 0;

  explicit PointRow(const PointInput& input)
      : weights(weights_of<Real>(input)), vectors(as<Real>(input.vectors)), dim(input.shape.dim) {}

  [[nodiscard]] theory::RowView<Real> view() const { return {weights, {vectors.data(), weights.size(), dim}}; }
};

/// What is measured of a row at one N.
template <class Real>
struct Observed {
  Real distance;
  Real radius;
  Real separable;
};

/// By the pass that measures heads in double, by the formulas of `theory` in Exact. Requires 1 ≤ top < L.
template <class Real>
[[nodiscard]] Observed<Real> observe(const PointRow<Real>& row, std::size_t top);

/// What is measured of one row in double. Requires 1 ≤ top < L.
[[nodiscard]] Observed<double> measure_row(std::span<const double> weights, MatrixView<const double> vectors,
                                           std::size_t top);

}  // namespace headroom::verify
