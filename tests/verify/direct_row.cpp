#include "verify/direct_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headroom::verify::testing {
namespace {

using Real = long double;
using Vector = std::vector<Real>;

Real norm(const Vector& v) {
  Real sum = 0;
  for (Real x : v) sum += x * x;
  return std::sqrt(sum);
}

Vector combine(Real a, const Vector& x, Real b, const Vector& y) {
  Vector out(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) out[k] = a * x[k] + b * y[k];
  return out;
}

}  // namespace

std::vector<double> direct_row(const std::vector<double>& weights, MatrixView<const double> vectors, std::size_t top,
                               double largest_norm, double spacing) {
  const std::size_t k = weights.size();
  const std::size_t d = vectors.cols;
  const Vector zero(d, 0);
  std::vector<Vector> x(k);
  std::vector<Vector> y(k);
  for (std::size_t i = 0; i < k; ++i) {
    x[i].assign(vectors.row_data(i), vectors.row_data(i) + d);
    y[i] = combine(weights[i], x[i], 0, zero);
  }
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  const std::vector<std::size_t> in(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(top));
  const std::vector<std::size_t> rest(order.begin() + static_cast<std::ptrdiff_t>(top), order.end());

  Vector s = zero;
  Vector c = zero;
  Real mass = 0;
  for (std::size_t i : in) {
    s = combine(1, s, 1, y[i]);
    mass += weights[i];
  }
  for (std::size_t i = 0; i < k; ++i) c = combine(1, c, 1, y[i]);
  const Vector center = mass > 0 ? combine(1 / mass, s, 0, zero) : zero;

  Real distance = 0, weight = 0, deficit = 0, spread = 0, farthest = 0, longest = 0;
  Real radius = std::numeric_limits<Real>::infinity();
  for (std::size_t i : rest) {
    const Real length = norm(combine(1, s, -1, y[i]));
    distance += length;
    radius = std::min(radius, length);
    weight += weights[i];
    deficit += std::abs(mass - weights[i]);
    spread += weights[i] * norm(combine(1, x[i], -1, center));
    for (std::size_t j : in) farthest = std::max(farthest, norm(combine(1, x[i], -1, x[j])));
  }
  for (std::size_t j : in) longest = std::max(longest, norm(x[j]));

  const Real n = static_cast<Real>(top);
  const Real size = static_cast<Real>(k);
  const Real p = n / (size - 1);
  Real e0 = 0, e1 = 0, upper = 0;
  for (std::size_t i = 0; i < k; ++i) {
    const Real m = norm(combine(p, c, -(1 + p), y[i]));
    e0 += m;
    e1 += norm(combine(1, c, -2, y[i]));
    Real v = 0;
    if (k > 2) {
      const Vector others = combine(1 / (size - 1), c, -1 / (size - 1), y[i]);
      Real squares = 0;
      for (std::size_t j = 0; j < k; ++j) {
        if (j != i) squares += std::pow(norm(combine(1, y[j], -1, others)), 2.0L);
      }
      v = n * (1 - p) * squares / (size - 2);
    }
    upper += std::sqrt(m * m + v);
  }

  // ‖s−y_i‖ by comparison without the common ‖s‖².
  const auto u = [&](std::size_t i) {
    Real inner = 0;
    for (std::size_t t = 0; t < d; ++t) inner += x[i][t] * (weights[i] * x[i][t] - 2 * s[t]);
    return weights[i] * inner;
  };
  Real nearest = std::numeric_limits<Real>::infinity();
  for (std::size_t j : rest) nearest = std::min(nearest, u(j));
  Real separable = 0, xi_sum = 0, exp_sum = 0, certain = 0;
  const Real m2 = static_cast<Real>(largest_norm) * largest_norm;
  for (std::size_t i : in) {
    separable += u(i) < nearest ? 1 : 0;
    Real square = 0;
    for (std::size_t j : in) {
      if (j == i) continue;
      square += m2 * weights[j] * weights[j];
      for (std::size_t l : in) {
        if (l != i && l != j) square += (m2 - static_cast<Real>(spacing) * spacing / 2) * weights[j] * weights[l];
      }
    }
    const Real xi = std::sqrt(std::max<Real>(0, square));
    xi_sum += xi;
    exp_sum += std::exp(-std::pow(std::max<Real>(0, xi - radius), 2.0L) / (2 * m2));
    certain += xi < radius * (1 - 1e-12L) ? 1 : 0;
  }
  Real entropy = 0;
  for (double a : weights) {
    if (a > 0) entropy -= static_cast<Real>(a) * std::log(static_cast<Real>(a));
  }

  std::vector<double> out(quantity_count, std::numeric_limits<double>::quiet_NaN());
  const auto put = [&](Quantity q, Real value) { out[static_cast<std::size_t>(q)] = static_cast<double>(value); };
  const Real centered = norm(center) * deficit;
  put(Quantity::distance, distance);
  put(Quantity::distance_upper, farthest * weight + std::abs((size - n) * mass - weight) * longest);
  put(Quantity::distance_lower_sharp, std::max<Real>(0, centered - spread));
  put(Quantity::distance_upper_sharp, centered + spread);
  put(Quantity::expected, (size - n) / size * e0);
  put(Quantity::expected_full, (size - n) / size * e1);
  put(Quantity::expected_upper, (size - n) / size * upper);
  put(Quantity::radius, radius);
  put(Quantity::separable, separable / n);
  put(Quantity::separable_lower, radius > 0 ? 1 - xi_sum / n / radius : -std::numeric_limits<Real>::infinity());
  put(Quantity::separable_upper, exp_sum / n);
  put(Quantity::separable_lower_sharp, certain / n);
  put(Quantity::xi_mean, xi_sum / n);
  put(Quantity::mass, mass);
  put(Quantity::entropy, entropy);
  put(Quantity::max_weight, *std::max_element(weights.begin(), weights.end()));
  return out;
}

}  // namespace headroom::verify::testing
