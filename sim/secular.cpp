#include "sim/secular.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/secular_kernels.hpp"

namespace headroom::sim {

namespace {

/// The secular function times (first − λ)(λ − second)/λ: without poles, and far from underflow for tiny λ. It rises
/// through 0 at the eigenvalue.
struct SecularFunction {
  std::span<const double> w;
  double rho;
  double gap;
  double first;
  double second;
  double seconds;  ///< Σ of the weights equal to the second

  struct Value {
    double value;
    double slope;
  };
  [[nodiscard]] Value operator()(double lambda) const {
    const PoleSums rest = pole_sums(w.data(), w.size(), second, lambda);
    const double right = first - lambda;
    const double left = lambda - second;
    const double value =
        rho * (first * left - seconds * right - right * left * rest.first) - gap * right * (left / lambda);
    const double slope = rho * (first + seconds - (right - left) * rest.first + right * left * rest.second) -
                         gap * (first / lambda * (second / lambda) - 1);
    return {value, slope};
  }
};

/// The root of a rising function between `low` and `high`: Newton's method from `lambda`, bisection where it would
/// leave the bracket.
double root_between(const SecularFunction& function, double low, double high, double lambda) {
  for (int step = 0; step < 200; ++step) {
    if (!(lambda > low && lambda < high)) lambda = low + (high - low) / 2;
    const auto [value, slope] = function(lambda);
    if (value == 0) return lambda;
    (value < 0 ? low : high) = lambda;
    const double next = lambda - value / slope;
    // Quadratic: after a step this small the next error is below rounding.
    const double nearest_pole = std::min(lambda - function.second, function.first - lambda);
    if (std::abs(next - lambda) <= 1e-9 * nearest_pole) return std::clamp(next, low, high);
    if (high - low <= std::numeric_limits<double>::epsilon() * high) return low;
    lambda = next;
  }
  return lambda;
}

/// For w whose largest is neither tiny nor huge.
double scaled_norm(std::span<const double> w, const WeightSums& sums, double rho, double gap) {
  const auto [first, second, others, squares] = sums;
  if (first == second || rho == 0) return first;
  const double corner = first * (gap + rho * others);  // the largest diagonal element, without cancellation
  if (second == 0) return corner;
  const auto equal_seconds = static_cast<double>(std::count(w.begin(), w.end(), second));
  // An eigenvalue is at least every diagonal element and at most the trace.
  const double low = std::max(second, std::min(first, corner));
  const double trace = (corner + (others - rho * squares)) * (1 + 1e-12);  // no rounding takes it below the root
  const double high = std::max(low, std::min(first, trace));
  const SecularFunction function = {w, rho, gap, first, second, equal_seconds * second};
  const double at_low = function(low).value;
  const double at_high = function(high).value;
  if (at_low >= 0) return low;
  if (at_high <= 0) return high;
  return root_between(function, low, high, low + (high - low) * (at_low / (at_low - at_high)));
}

/// Where products of weights stay far from the ends of the range of double.
constexpr double tiny = 1e-60;
constexpr double huge = 1e60;

/// w over its largest, in `copy`.
std::span<const double> over_largest(std::span<const double> w, double largest, std::vector<double>& copy) {
  copy.assign(w.begin(), w.end());
  for (double& x : copy) x /= largest;
  return copy;
}

}  // namespace

double secular_norm(std::span<const double> w, double rho, double gap) {
  const WeightSums sums = weight_sums(w.data(), w.size());
  if (sums.first == 0) return 0;
  if (sums.first > tiny && sums.first < huge) return scaled_norm(w, sums, rho, gap);
  std::vector<double> copy;
  const std::span<const double> scaled = over_largest(w, sums.first, copy);
  return sums.first * scaled_norm(scaled, weight_sums(scaled.data(), scaled.size()), rho * sums.first, gap);
}

double projected_secular_norm(std::span<const double> w) {
  const WeightSums sums = weight_sums(w.data(), w.size());
  if (sums.first == 0) return 0;
  const auto projected = [](std::span<const double> x, const WeightSums& of) {
    return scaled_norm(x, of, 1 / (of.first + of.others), 0);
  };
  if (sums.first > tiny && sums.first < huge) return projected(w, sums);
  std::vector<double> copy;
  const std::span<const double> scaled = over_largest(w, sums.first, copy);
  return sums.first * projected(scaled, weight_sums(scaled.data(), scaled.size()));
}

}  // namespace headroom::sim
