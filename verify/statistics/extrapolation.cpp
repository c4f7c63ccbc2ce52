#include "verify/statistics/extrapolation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "verify/statistics/checks.hpp"

namespace headroom::verify {
namespace {

struct Line {
  double intercept;
  double intercept_variance;  ///< for weights that are inverse variances
  double slope;
  double slope_variance;
  double chi_squared;
};

/// Weighted least squares of y on u, centred for conditioning.
Line fit_line(std::span<const double> u, std::span<const double> y, std::span<const double> weight) {
  double total = 0.0;
  double mean_u = 0.0;
  double mean_y = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    total += weight[i];
    mean_u += weight[i] * u[i];
    mean_y += weight[i] * y[i];
  }
  mean_u /= total;
  mean_y /= total;
  double spread = 0.0;
  double product = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    spread += weight[i] * (u[i] - mean_u) * (u[i] - mean_u);
    product += weight[i] * (u[i] - mean_u) * (y[i] - mean_y);
  }
  Line line{};
  line.slope = product / spread;
  line.slope_variance = 1.0 / spread;
  line.intercept = mean_y - line.slope * mean_u;
  line.intercept_variance = 1.0 / total + mean_u * mean_u / spread;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double residual = (y[i] - mean_y) - line.slope * (u[i] - mean_u);
    line.chi_squared += weight[i] * residual * residual;
  }
  return line;
}

std::string point(std::size_t i) { return "point " + std::to_string(i); }

void require_grid(const GrowingGrid& grid, std::size_t points, std::size_t places) {
  const bool known = !grid.standard_error.empty();
  if (grid.y.size() != grid.x.size() || (known && grid.standard_error.size() != grid.x.size())) {
    throw_input("x, y and the standard errors differ in length", "extrapolation", "give one of each per point");
  }
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    if (!(grid.x[i] > 0.0) || !std::isfinite(grid.x[i])) {
      throw_input("x must be positive and finite", point(i), "drop the point");
    }
    if (!std::isfinite(grid.y[i])) throw_input("y must be finite", point(i), "find the cell that gave it");
    if (known && (!(grid.standard_error[i] > 0.0) || !std::isfinite(grid.standard_error[i]))) {
      throw_input("a standard error must be positive and finite", point(i),
                  "run more than one trial, or leave all standard errors out");
    }
  }
  const std::size_t distinct = std::set<double>(grid.x.begin(), grid.x.end()).size();
  if (grid.x.size() < points || distinct < places) {
    throw_input("an extrapolation needs at least " + std::to_string(points) + " points at " + std::to_string(places) +
                    " different x, got " + std::to_string(grid.x.size()) + " at " + std::to_string(distinct),
                "extrapolation", "add cells to the grid");
  }
}

/// What a variance computed from the weights must be multiplied by.
double variance_scale(bool errors_known, double chi_squared, int degrees_of_freedom) {
  const double scatter = chi_squared / static_cast<double>(degrees_of_freedom);
  return errors_known ? std::max(1.0, scatter) : scatter;
}

/// The place in [lo, hi] where f is largest: the best of an even grid, refined by golden section around it.
template <class Function>
double argmax(const Function& f, double lo, double hi) {
  if (!(lo < hi)) return lo;
  constexpr int intervals = 400;
  const double step = (hi - lo) / intervals;
  int best = 0;
  double best_value = f(lo);
  for (int i = 1; i <= intervals; ++i) {
    const double value = f(lo + i * step);
    if (value > best_value) {
      best = i;
      best_value = value;
    }
  }
  double left = lo + std::max(best - 1, 0) * step;
  double right = lo + std::min(best + 1, intervals) * step;
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  for (int i = 0; i < 60; ++i) {
    const double a = right - golden * (right - left);
    const double b = left + golden * (right - left);
    (f(a) < f(b) ? left : right) = f(a) < f(b) ? a : b;
  }
  const double refined = 0.5 * (left + right);
  return f(refined) >= best_value ? refined : lo + best * step;
}

}  // namespace

PowerLawFit fit_power_law(const GrowingGrid& grid, double confidence) {
  require_open_unit(confidence, "confidence");
  require_grid(grid, 3, 2);
  const std::size_t size = grid.x.size();
  const bool known = !grid.standard_error.empty();
  std::vector<double> log_x(size);
  std::vector<double> log_y(size);
  std::vector<double> weight(size, 1.0);
  for (std::size_t i = 0; i < size; ++i) {
    if (!(grid.y[i] > 0.0)) throw_input("a power law needs y > 0", point(i), "drop the point or fit a limit");
    log_x[i] = std::log(grid.x[i]);
    log_y[i] = std::log(grid.y[i]);
    if (known) weight[i] = std::pow(grid.y[i] / grid.standard_error[i], 2);
  }
  const Line line = fit_line(log_x, log_y, weight);
  const int freedom = static_cast<int>(size) - 2;
  const double t = student_quantile(0.5 * (1.0 + confidence), freedom);
  const double half = t * std::sqrt(line.slope_variance * variance_scale(known, line.chi_squared, freedom));
  return {line.slope, {line.slope - half, line.slope + half}, std::exp(line.intercept), line.chi_squared, freedom};
}

LimitFit fit_limit(const GrowingGrid& grid, double confidence, const RateRange& rates) {
  require_open_unit(confidence, "confidence");
  require_positive(rates.slowest, "slowest rate");
  require_positive(rates.fastest, "fastest rate");
  if (rates.fastest < rates.slowest) throw_usage("the fastest rate is below the slowest", "rates", "swap the two");
  const bool fixed = rates.slowest == rates.fastest;
  require_grid(grid, fixed ? 3 : 4, fixed ? 2 : 3);

  const std::size_t size = grid.x.size();
  const bool known = !grid.standard_error.empty();
  std::vector<double> weight(size, 1.0);
  for (std::size_t i = 0; known && i < size; ++i) weight[i] = std::pow(grid.standard_error[i], -2);
  const double smallest = *std::min_element(grid.x.begin(), grid.x.end());
  std::vector<double> u(size);
  const auto line_at = [&](double log_rate) {
    const double rate = std::exp(log_rate);
    for (std::size_t i = 0; i < size; ++i) u[i] = std::pow(grid.x[i] / smallest, -rate);
    return fit_line(u, grid.y, weight);
  };

  const double lo = std::log(rates.slowest);
  const double hi = fixed ? lo : std::log(rates.fastest);
  const double best = argmax([&](double log_rate) { return -line_at(log_rate).chi_squared; }, lo, hi);
  const Line line = line_at(best);
  const int freedom = static_cast<int>(size) - (fixed ? 2 : 3);
  const double t = student_quantile(0.5 * (1.0 + confidence), freedom);
  const double allowed = t * t * variance_scale(known, line.chi_squared, freedom);

  // At one rate χ² is a parabola in the limit; the interval is the union of what each rate allows.
  const auto end_at = [&](double log_rate, double sign) {
    const Line other = line_at(log_rate);
    const double room = allowed - (other.chi_squared - line.chi_squared);
    if (room < 0.0) return -std::numeric_limits<double>::infinity();
    return sign * other.intercept + std::sqrt(other.intercept_variance * room);
  };
  const auto farthest = [&](double sign) {
    const auto end = [&](double log_rate) { return end_at(log_rate, sign); };
    return sign * std::max(end(argmax(end, lo, hi)), end(best));
  };
  const double rate = std::exp(best);
  const double amplitude = line.slope * std::pow(smallest, rate);
  return {line.intercept, {farthest(-1.0), farthest(1.0)}, amplitude, rate, line.chi_squared, freedom};
}

}  // namespace headroom::verify
