#include "sim/secular.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>
#include <vector>

namespace headroom::sim {

namespace {

/// secular_norm for w whose largest is 1.
double scaled_norm(std::span<const double> w, double rho, double gap) {
  double first = 0;
  double second = 0;
  double others = 0;  // Σw without one of the largest
  double trace = 0;
  for (const double x : w) {
    const double smaller = std::min(first, x);
    first = std::max(first, x);
    second = std::max(second, smaller);
    others += smaller;
    trace += smaller * (1 - rho * smaller);
  }
  if (first == second || rho == 0) return first;
  const double corner = first * (gap + rho * others);  // the largest diagonal element, without cancellation
  if (second == 0) return corner;
  trace += corner;

  // The secular function times (first − λ)(λ − second)/λ: without poles, and far from underflow for tiny λ.
  const auto function = [&](double lambda) {
    double rest = 0;
    double seconds = 0;
    for (const double x : w) {
      if (x < second) {
        rest += x / (lambda - x);
      } else if (x == second) {
        seconds += x;
      }
    }
    const double right = first - lambda;
    const double left = lambda - second;
    return rho * (first * left - seconds * right - right * left * rest) - gap * right * (left / lambda);
  };
  // An eigenvalue is at least every diagonal element and at most the trace.
  const double low = std::max(second, std::min(first, corner));
  const double high = std::max(low, std::min(first, trace));
  const double at_low = function(low);
  const double at_high = function(high);
  if (at_low >= 0) return low;
  if (at_high <= 0) return high;
  std::uintmax_t steps = 200;
  const auto bracket = boost::math::tools::toms748_solve(function, low, high, at_low, at_high,
                                                         boost::math::tools::eps_tolerance<double>(52), steps);
  return (bracket.first + bracket.second) / 2;
}

}  // namespace

// Scaled, so that products of weights near the ends of the range of double stay within it.
double secular_norm(std::span<const double> w, double rho, double gap) {
  const double most = w.empty() ? 0 : *std::max_element(w.begin(), w.end());
  if (most == 0) return 0;
  std::vector<double> scaled(w.begin(), w.end());
  for (double& x : scaled) x /= most;
  return most * scaled_norm(scaled, rho * most, gap);
}

}  // namespace headroom::sim
