#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "theory/row.hpp"

/// Rows to test with, and the same rows in 168 bits.
namespace headroom::theory_test {

using Wide = boost::multiprecision::cpp_bin_float_50;

template <class Real>
struct Row {
  std::vector<Real> weights;
  std::vector<Real> vectors;
  std::size_t dim = 0;

  [[nodiscard]] theory::RowView<Real> view() const { return {weights, {vectors.data(), weights.size(), dim}}; }
};

inline Row<Wide> widen(const Row<double>& row) {
  return {{row.weights.begin(), row.weights.end()}, {row.vectors.begin(), row.vectors.end()}, row.dim};
}

/// Softmax of normal logits of the given spread.
inline std::vector<double> random_weights(std::mt19937_64& random, std::size_t length, double sigma) {
  std::normal_distribution<double> normal;
  std::vector<double> logits(length);
  for (double& logit : logits) logit = sigma * normal(random);
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0.0;
  for (double& logit : logits) sum += logit = std::exp(logit - largest);
  for (double& logit : logits) logit /= sum;
  return logits;
}

inline std::vector<double> decreasing(std::vector<double> weights) {
  std::sort(weights.begin(), weights.end(), [](double a, double b) { return a > b; });
  return weights;
}

/// Vectors of independent normals, of unit length if asked.
inline Row<double> with_vectors(std::mt19937_64& random, std::vector<double> weights, std::size_t dim, bool unit) {
  std::normal_distribution<double> normal;
  Row<double> row{std::move(weights), {}, dim};
  for (std::size_t i = 0; i < row.weights.size(); ++i) {
    std::vector<double> vector(dim);
    double square = 0.0;
    for (double& coordinate : vector) {
      coordinate = normal(random);
      square += coordinate * coordinate;
    }
    for (const double coordinate : vector) row.vectors.push_back(unit ? coordinate / std::sqrt(square) : coordinate);
  }
  return row;
}

/// Random rows, and the awkward ones: one-hot, uniform, ties, exact zeros, one vector 100 times longer, tiny weights.
inline std::vector<Row<double>> rows_to_try(std::size_t length, std::size_t dim) {
  std::mt19937_64 random(20250817);
  std::vector<Row<double>> rows;
  for (const double sigma : {0.3, 1.0, 4.0}) {
    rows.push_back(with_vectors(random, random_weights(random, length, sigma), dim, sigma < 2.0));
  }
  std::vector<double> one_hot(length, 0.0);
  one_hot[length / 2] = 1.0;
  rows.push_back(with_vectors(random, one_hot, dim, true));
  rows.push_back(with_vectors(random, std::vector<double>(length, 1.0 / static_cast<double>(length)), dim, true));
  std::vector<double> tied = random_weights(random, length, 1.0);
  for (std::size_t i = 1; i < length; i += 2) tied[i] = tied[i - 1];
  rows.push_back(with_vectors(random, tied, dim, false));
  std::vector<double> zeros = random_weights(random, length, 1.0);
  for (std::size_t i = 0; i < length; i += 3) zeros[i] = 0.0;
  rows.push_back(with_vectors(random, zeros, dim, true));
  Row<double> longer = with_vectors(random, random_weights(random, length, 1.0), dim, true);
  for (std::size_t k = 0; k < dim; ++k) longer.vectors[k] *= 100.0;
  rows.push_back(longer);
  std::vector<double> tiny(length, 1e-300);
  tiny.back() = 1.0;
  rows.push_back(with_vectors(random, tiny, dim, true));
  return rows;
}

}  // namespace headroom::theory_test
