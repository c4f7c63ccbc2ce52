#include "verify/row_separability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "verify/vector_ops.hpp"

namespace headroom::verify {
namespace {

// Weights reach 1e-300 of the largest, and their squares 1e-600: long double's 15-bit exponent holds both.
Separation separate_wide(const Row& row) {
  const RowArrays a = row.arrays();
  const auto u = [&](std::size_t i) {
    const long double alpha = a.alpha[i];
    return alpha * (alpha * static_cast<long double>(a.norm2[i]) - 2 * static_cast<long double>(a.sx[i]));
  };
  long double least = std::numeric_limits<long double>::infinity();
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (a.outside[i] == 0) continue;
    const long double value = u(i);
    if (value < least) {
      least = value;
      nearest = i;
    }
  }
  Separation result;
  for (std::size_t rank = 0; rank < row.selected(); ++rank) result.count += u(row.order(rank)) < least ? 1 : 0;
  result.radius = difference_norm(1.0, row.s, a.alpha[nearest], row.vector(nearest));
  return result;
}

// Above this, neither factor of u has been rounded to a subnormal number.
constexpr double underflow_guard = 1e-290;

}  // namespace

Separation separate(Row& row) {
  const RowArrays a = row.arrays();
  const Nearest nearest = separation(a, row.u.data());
  if (std::abs(nearest.u) < underflow_guard) return separate_wide(row);
  Separation result;
  for (std::size_t rank = 0; rank < row.selected(); ++rank) result.count += row.u[row.order(rank)] < nearest.u ? 1 : 0;
  result.radius = difference_norm(1.0, row.s, a.alpha[nearest.token], row.vector(nearest.token));
  return result;
}

SeparabilityBounds separability_bounds(std::span<const double> selected, double largest_norm, double spacing,
                                       double radius, std::vector<double>& scratch) {
  const std::size_t n = selected.size();
  const double m2 = largest_norm * largest_norm;
  // Sums over I∖i are joined from the sums before and after i: subtracting α_i from the whole would leave rounding
  // where exact zeros belong.
  scratch.resize(3 * (n + 1));
  double* sum_after = scratch.data();
  double* square_after = sum_after + n + 1;
  double* pairs_after = square_after + n + 1;
  sum_after[n] = square_after[n] = pairs_after[n] = 0;
  for (std::size_t i = n; i-- > 0;) {
    pairs_after[i] = pairs_after[i + 1] + selected[i] * sum_after[i + 1];
    sum_after[i] = sum_after[i + 1] + selected[i];
    square_after[i] = square_after[i + 1] + selected[i] * selected[i];
  }
  double sum_before = 0;
  double square_before = 0;
  double pairs_before = 0;
  double xi_sum = 0;
  double upper = 0;
  std::size_t certain = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double squares = square_before + square_after[i + 1];
    const double pairs = pairs_before + pairs_after[i + 1] + sum_before * sum_after[i + 1];
    const double xi = std::sqrt(std::max(0.0, m2 * squares + 2 * (m2 - spacing * spacing / 2) * pairs));
    xi_sum += xi;
    const double excess = std::max(0.0, xi - radius);
    upper += m2 > 0 ? std::exp(-excess * excess / (2 * m2)) : 1.0;
    certain += xi < radius * (1 - 1e-12) ? 1 : 0;
    pairs_before += selected[i] * sum_before;
    sum_before += selected[i];
    square_before += selected[i] * selected[i];
  }
  const auto count = static_cast<double>(n);
  SeparabilityBounds bounds;
  bounds.xi_mean = xi_sum / count;
  bounds.lower = radius > 0 ? 1 - bounds.xi_mean / radius : -std::numeric_limits<double>::infinity();
  bounds.upper = upper / count;
  bounds.lower_sharp = static_cast<double>(certain) / count;
  return bounds;
}

}  // namespace headroom::verify
