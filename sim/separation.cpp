#include "sim/separation.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <numbers>

namespace headroom::sim {

double pair_probability(std::size_t dim, double delta) {
  if (delta <= 0) return 0;
  if (delta > 2) return 1;
  const double a = (static_cast<double>(dim) - 1) / 2;
  return boost::math::ibeta(a, a, delta * delta / 4);
}

double estimated_acceptance(std::size_t length, std::size_t dim, double delta) {
  if (length < 2) return 1;
  const auto n = static_cast<double>(length);
  return std::exp(n * (n - 1) / 2 * std::log1p(-pair_probability(dim, delta)));
}

double largest_separation(std::size_t length, std::size_t dim) {
  if (length < 2) return std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(length);
  const auto d = static_cast<double>(dim);
  const double simplex = std::sqrt(2 * n / (n - 1));
  if (dim == 2) return length == 2 ? 2 : 2 * std::sin(std::numbers::pi / n);
  const double rankin = length > dim + 1 ? std::numbers::sqrt2 : simplex;
  const double caps = 2 * std::sqrt(boost::math::ibeta_inv((d - 1) / 2, 0.5, 2 / n));
  double bound = std::min({2.0, rankin, caps});
  if (dim == 3 && length >= 3) {
    const double csc = 1 / std::sin(std::numbers::pi * n / (6 * (n - 2)));
    bound = std::min(bound, std::sqrt(4 - csc * csc));
  }
  return bound;
}

}  // namespace headroom::sim
