#include "verify/statistics/intervals.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "verify/statistics/checks.hpp"

namespace headroom::verify {
namespace {

void require_count(std::uint64_t successes, std::uint64_t trials, double confidence) {
  if (trials == 0) throw_usage("a proportion needs at least one trial", "trials = 0", "run at least one trial");
  if (successes > trials) {
    throw_usage("more successes than trials", std::to_string(successes) + " of " + std::to_string(trials),
                "check the two counts");
  }
  require_open_unit(confidence, "confidence");
}

/// The p with P(X ≤ successes | p) = tail.
double upper_limit(std::uint64_t successes, std::uint64_t trials, double tail) {
  if (successes == trials) return 1.0;
  const auto x = static_cast<double>(successes);
  const auto n = static_cast<double>(trials);
  if (successes == 0) return -std::expm1(std::log(tail) / n);
  return boost::math::ibetac_inv(x + 1.0, n - x, tail);
}

/// The p with P(X ≥ successes | p) = tail.
double lower_limit(std::uint64_t successes, std::uint64_t trials, double tail) {
  if (successes == 0) return 0.0;
  const auto x = static_cast<double>(successes);
  const auto n = static_cast<double>(trials);
  if (successes == trials) return std::exp(std::log(tail) / n);
  return boost::math::ibeta_inv(x, n - x + 1.0, tail);
}

}  // namespace

Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials, double confidence) {
  require_count(successes, trials, confidence);
  const double tail = 0.5 * (1.0 - confidence);
  return {lower_limit(successes, trials, tail), upper_limit(successes, trials, tail)};
}

double clopper_pearson_upper(std::uint64_t successes, std::uint64_t trials, double confidence) {
  require_count(successes, trials, confidence);
  return upper_limit(successes, trials, 1.0 - confidence);
}

double student_quantile(double probability, double degrees_of_freedom) {
  require_open_unit(probability, "probability");
  require_positive(degrees_of_freedom, "degrees of freedom");
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), probability);
}

Interval mean_interval(const Moments& moments, double confidence) {
  require_open_unit(confidence, "confidence");
  const double infinity = std::numeric_limits<double>::infinity();
  if (moments.count < 2) return {-infinity, infinity};
  const double t = student_quantile(0.5 * (1.0 + confidence), static_cast<double>(moments.count - 1));
  const double half = t * moments.standard_error();
  return {moments.mean - half, moments.mean + half};
}

}  // namespace headroom::verify
