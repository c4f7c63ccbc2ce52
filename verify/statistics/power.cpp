#include "verify/statistics/power.hpp"

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "core/error.hpp"
#include "verify/statistics/checks.hpp"

namespace headroom::verify {
namespace {

constexpr std::uint64_t most_trials = std::uint64_t{1} << 53;

void require_test(const MeanTest& test, double violation) {
  require_open_unit(test.level, "level");
  require_non_negative(test.standard_deviation, "standard deviation");
  require_non_negative(violation, "violation");
}

/// Beyond this Boost's noncentral t runs out of integers.
constexpr double largest_shift = 1e4;

/// The normal in the numerator of T' is its mean to within 1/shift: P(T' > critical) = P(χ² < ν·(shift/critical)²).
double power_far_off(double shift, double critical, double degrees_of_freedom) {
  const double ratio = shift / critical;
  const double half = 0.5 * degrees_of_freedom;
  const double bound = half * ratio * ratio;
  return std::isfinite(bound) ? boost::math::gamma_p(half, bound) : 1.0;
}

/// P(statistic > critical) + [two sides] P(statistic < −critical).
template <class Law>
double rejection(const Law& law, double critical, Sides sides) {
  const double above = boost::math::cdf(boost::math::complement(law, critical));
  return sides == Sides::one ? above : above + boost::math::cdf(law, -critical);
}

}  // namespace

double mean_test_power(const MeanTest& test, double violation, std::uint64_t trials) {
  require_test(test, violation);
  if (trials < 2) return 0.0;
  if (test.standard_deviation == 0.0) return violation > 0.0 ? 1.0 : 0.0;
  const auto n = static_cast<double>(trials);
  const double tail = test.sides == Sides::one ? test.level : 0.5 * test.level;
  const double shift = violation / test.standard_deviation * std::sqrt(n);
  const double critical = boost::math::quantile(boost::math::complement(boost::math::students_t(n - 1.0), tail));
  if (shift > largest_shift) return power_far_off(shift, critical, n - 1.0);
  return rejection(boost::math::non_central_t(n - 1.0, shift), critical, test.sides);
}

std::uint64_t trials_needed(const MeanTest& test, double violation, double power) {
  require_test(test, violation);
  require_positive(violation, "violation");
  require_open_unit(power, "power");
  std::uint64_t enough = 2;
  while (mean_test_power(test, violation, enough) < power) {
    if (enough >= most_trials) {
      throw_usage("more than 2^53 trials would be needed", "violation " + std::to_string(violation),
                  "ask for a larger violation or less power");
    }
    enough *= 2;
  }
  std::uint64_t too_few = enough / 2;  // power(too_few) < power, or 1
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (mean_test_power(test, violation, middle) < power ? too_few : enough) = middle;
  }
  return enough;
}

}  // namespace headroom::verify
