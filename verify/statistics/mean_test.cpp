#include "verify/statistics/mean_test.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "core/error.hpp"
#include "verify/statistics/checks.hpp"

namespace headroom::verify {
namespace {

double upper_tail(const Moments& moments, double gap) {
  if (std::isnan(gap)) {
    throw_input("the mean or its bound is NaN", "mean test", "find the trial that gave a non-finite value");
  }
  if (moments.count < 2) return 1.0;
  if (std::isinf(gap)) return gap > 0.0 ? 0.0 : 1.0;
  const double standard_error = moments.standard_error();
  if (standard_error == 0.0) return gap > 0.0 ? 0.0 : 1.0;
  const boost::math::students_t law(static_cast<double>(moments.count - 1));
  return boost::math::cdf(boost::math::complement(law, gap / standard_error));
}

}  // namespace

double p_mean_exceeds(const Moments& moments, double bound, double rounding) {
  require_non_negative(rounding, "rounding");
  return upper_tail(moments, moments.mean - bound - rounding);
}

double p_mean_differs(const Moments& moments, double value, double rounding) {
  require_non_negative(rounding, "rounding");
  return std::min(1.0, 2.0 * upper_tail(moments, std::abs(moments.mean - value) - rounding));
}

}  // namespace headroom::verify
