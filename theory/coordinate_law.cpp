#include "theory/coordinate_law.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "theory/boundary.hpp"

namespace headroom::theory {
namespace {

constexpr std::size_t cell_count = 1024;
// Left of this, log F_d is too steep to tabulate for small d; its series in (1+t)/2 converges at once.
constexpr double series_end = -1.0 + 1.0 / 16;

}  // namespace

CoordinateLaw::CoordinateLaw(std::size_t dim) : dim_(dim), half_integer_(dim == 2 || dim == 4) {
  assert(dim >= 2);
  const double a = 0.5 * (static_cast<double>(dim) - 1.0);
  log_tail_constant_ = std::lgamma(2.0 * a) - 2.0 * std::lgamma(a) - std::log(a);
  tabulate();
}

double CoordinateLaw::cdf(double t) const {
  if (t <= -1.0) return 0.0;
  if (t >= 1.0) return 1.0;
  if (dim_ == 2) return std::acos(-t) / std::numbers::pi;
  const double a = 0.5 * (static_cast<double>(dim_) - 1.0);
  return t <= 0.0 ? boost::math::ibeta(a, a, 0.5 * (1.0 + t)) : boost::math::ibetac(a, a, 0.5 * (1.0 - t));
}

double CoordinateLaw::log_cdf_exact(double t) const {
  const double a = 0.5 * (static_cast<double>(dim_) - 1.0);
  if (t >= 1.0) return 0.0;
  return t <= 0.0 ? std::log(boost::math::ibeta(a, a, 0.5 * (1.0 + t)))
                  : std::log1p(-boost::math::ibeta(a, a, 0.5 * (1.0 - t)));
}

double CoordinateLaw::log_cdf_below(double t) const noexcept {
  if (!(t > -1.0)) return -std::numeric_limits<double>::infinity();
  if (t < series_end) {
    // I_x(a,a) = x^a (1−x)^a / (a B(a,a)) · Σ_n x^n Π_{k<n} (2a+k)/(a+1+k).
    const double a = 0.5 * (static_cast<double>(dim_) - 1.0);
    const double x = 0.5 * (1.0 + t);
    double sum = 1.0;
    double term = 1.0;
    for (int n = 0; n < 24; ++n) {
      term *= x * (2.0 * a + n) / (a + 1.0 + n);
      sum += term;
    }
    return log_tail_constant_ + a * (std::log(x) + std::log1p(-x)) + std::log(sum);
  }
  return -std::numeric_limits<double>::infinity();
}

void CoordinateLaw::tabulate() {
  lower_ = series_end;
  if (log_cdf_exact(lower_) < log_floor) {
    lower_ = boundary(lower_, 0.0, [&](double t) { return log_cdf_exact(t) < log_floor; });
  }
  upper_ = half_integer_ ? 1.0 : boundary(0.0, 1.0, [&](double t) { return log_cdf_exact(t) < -1e-13; });
  const double length = half_integer_ ? std::sqrt(1.0 - lower_) : upper_ - lower_;
  const double step = length / static_cast<double>(cell_count);
  inverse_step_ = static_cast<double>(cell_count) / length;
  const double a = 0.5 * (static_cast<double>(dim_) - 1.0);
  // The table's own variable is z = t − lower, or sqrt(1−t).
  const auto at = [&](double z) { return half_integer_ ? 1.0 - z * z : std::min(lower_ + z, 1.0); };
  const auto slope = [&](double z) {
    const double t = at(z);
    if (half_integer_) {
      const double density =
          (dim_ == 2 ? 1.0 / std::sqrt(1.0 + t) : 2.0 * z * z * std::sqrt(1.0 + t)) / std::numbers::pi;
      return -2.0 * density / std::exp(log_cdf_exact(t));
    }
    if (t >= 1.0) return dim_ == 3 ? 0.5 : 0.0;
    return 0.5 * boost::math::ibeta_derivative(a, a, 0.5 * (1.0 + t)) / std::exp(log_cdf_exact(t));
  };
  // One cell more, as rounding may put an argument just short of the end into it.
  cells_.resize(cell_count + 1);
  for (std::size_t cell = 0; cell <= cell_count; ++cell) {
    if (cell == cell_count) {
      cells_[cell] = {log_cdf_exact(at(length)), 0.0, 0.0, 0.0};
      break;
    }
    const double begin = step * static_cast<double>(cell);
    const double end = step * static_cast<double>(cell + 1);
    const double left = log_cdf_exact(at(begin));
    const double rise = log_cdf_exact(at(end)) - left;
    const double left_slope = slope(begin) * step;
    const double right_slope = slope(end) * step;
    const Cubic cubic{left, left_slope, 3.0 * rise - 2.0 * left_slope - right_slope,
                      left_slope + right_slope - 2.0 * rise};
    cells_[cell] = cubic;
    const double middle = cubic.c0 + 0.5 * (cubic.c1 + 0.5 * (cubic.c2 + 0.5 * cubic.c3));
    table_error_ = std::max(table_error_, std::abs(middle - log_cdf_exact(at(begin + 0.5 * step))));
  }
}

}  // namespace headroom::theory
