#include "sim/secular.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>
#include <vector>

#include "sim/secular_kernels.hpp"

namespace headroom::sim {

namespace {

/// secular_norm for w whose largest is 1.
double scaled_norm(std::span<const double> w, double rho, double gap) {
  auto [first, second, others, trace] = weight_sums(w.data(), w.size(), rho);
  if (first == second || rho == 0) return first;
  const double corner = first * (gap + rho * others);  // the largest diagonal element, without cancellation
  if (second == 0) return corner;
  trace += corner;
  const auto equal_seconds = static_cast<double>(std::count(w.begin(), w.end(), second));

  // The secular function times (first − λ)(λ − second)/λ: without poles, and far from underflow for tiny λ.
  const auto function = [&, first = first, second = second](double lambda) {
    const double rest = pole_sum(w.data(), w.size(), second, lambda);
    const double seconds = equal_seconds * second;
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
