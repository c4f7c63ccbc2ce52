#include "verify/row_separability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>

#include "verify/row_kernels.hpp"
#include "verify/vector_ops.hpp"

namespace headroom::verify {
namespace {

// Weights reach 1e-300 of the largest, and their squares 1e-600: long double's 15-bit exponent holds both.
template <class Real>
Separation separate_wide(const Row<Real>& row) {
  const RowArrays<Real> a = row.arrays();
  const auto u = [&](std::size_t i) {
    const long double alpha = row.alpha()[i];
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
  result.radius = difference_norm(1.0, row.s(), row.alpha()[nearest], row.vector(nearest));
  return result;
}

// Above this, neither factor of u has been rounded to a subnormal number.
template <class Real>
constexpr double underflow_guard = sizeof(Real) == sizeof(double) ? 1e-290 : 1e-30;

// u_i from the vectors in double precision, exactly the same for tokens that are the same.
template <class Real>
double exact_u(const Row<Real>& row, std::size_t i) {
  const double alpha = row.alpha()[i];
  const double norm2 = row.embeddings().norm2()[row.token(i)];
  return alpha * (alpha * norm2 - 2 * dot(row.vector(i), std::span(row.s()).first(row.vector(i).size())));
}

// How far u_i in single precision may be from the truth: the roundings of s·x_i, summed over N tokens, and of u itself.
double single_error(const RowArrays<float>& a, std::size_t i) {
  constexpr float rounding = 4e-6F;
  return static_cast<double>(rounding * (a.y2[i] + 2 * std::abs(a.alpha[i] * a.sx[i])));
}

// Decides in double precision what single precision cannot: selected tokens whose u is as good as the nearest other's.
std::size_t settle_near_ties(const Row<float>& row, const Nearest& nearest) {
  const RowArrays<float> a = row.arrays();
  const double nearest_error = single_error(a, nearest.token);
  const auto difference = [&](std::size_t i) { return static_cast<double>(row.u[i]) - nearest.u; };
  const auto unsure = [&](std::size_t i) { return std::abs(difference(i)) <= single_error(a, i) + nearest_error; };
  std::size_t count = 0;
  bool tied = false;
  for (std::size_t rank = 0; rank < row.selected(); ++rank) {
    const std::size_t i = row.order(rank);
    tied = tied || unsure(i);
    count += difference(i) < 0 ? 1 : 0;
  }
  if (!tied) return count;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (a.outside[i] != 0 && unsure(i)) least = std::min(least, exact_u(row, i));
  }
  count = 0;
  for (std::size_t rank = 0; rank < row.selected(); ++rank) {
    const std::size_t i = row.order(rank);
    count += (unsure(i) ? exact_u(row, i) < least : difference(i) < 0) ? 1 : 0;
  }
  return count;
}

}  // namespace

template <class Real>
Separation separate(Row<Real>& row) {
  const RowArrays<Real> a = row.arrays();
  const Nearest nearest = row_kernels<Real>().separation(a, row.u.data());
  if (std::abs(nearest.u) < underflow_guard<Real>) return separate_wide(row);
  Separation result;
  if constexpr (std::is_same_v<Real, float>) {
    result.count = settle_near_ties(row, nearest);
  } else {
    for (std::size_t rank = 0; rank < row.selected(); ++rank)
      result.count += row.u[row.order(rank)] < nearest.u ? 1 : 0;
  }
  const double terms = row.s2() + static_cast<double>(a.y2[nearest.token]);
  const double square = row.s2() + nearest.u;
  result.radius = square < cancellation_share_of<Real> * terms
                      ? difference_norm(1.0, row.s(), row.alpha()[nearest.token], row.vector(nearest.token))
                      : std::sqrt(square);
  return result;
}

template Separation separate(Row<float>&);
template Separation separate(Row<double>&);

SeparabilityBounds separability_bounds(std::span<const double> selected, double largest_norm, double spacing,
                                       double radius, std::vector<double>& scratch) {
  const std::size_t n = selected.size();
  const double m2 = largest_norm * largest_norm;
  // Sums over I∖i are joined from the sums before and after i: subtracting α_i from the whole would leave rounding
  // where exact zeros belong.
  const std::size_t padded = padded_size<double>(n);
  scratch.resize(3 * (n + 1) + padded);
  double* sum_after = scratch.data();
  double* square_after = sum_after + n + 1;
  double* pairs_after = square_after + n + 1;
  double sum = 0;
  double square = 0;
  double pairs = 0;
  for (std::size_t i = n; i > 0; --i) {
    sum_after[i] = sum;
    square_after[i] = square;
    pairs_after[i] = pairs;
    pairs += selected[i - 1] * sum;
    sum += selected[i - 1];
    square += selected[i - 1] * selected[i - 1];
  }
  double* xi = pairs_after + n + 1;
  double sum_before = 0;
  double square_before = 0;
  double pairs_before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double squares = square_before + square_after[i + 1];
    const double products = pairs_before + pairs_after[i + 1] + sum_before * sum_after[i + 1];
    xi[i] = m2 * squares + 2 * (m2 - spacing * spacing / 2) * products;
    pairs_before += selected[i] * sum_before;
    sum_before += selected[i];
    square_before += selected[i] * selected[i];
  }
  std::fill(xi + n, xi + padded, 0.0);
  const XiSums sums = xi_sums(xi, n, padded, radius, m2);
  const auto count = static_cast<double>(n);
  SeparabilityBounds bounds;
  bounds.xi_mean = sums.xi / count;
  bounds.lower = radius > 0 ? 1 - bounds.xi_mean / radius : -std::numeric_limits<double>::infinity();
  bounds.upper = sums.upper / count;
  bounds.lower_sharp = static_cast<double>(sums.certain) / count;
  return bounds;
}

}  // namespace headroom::verify
