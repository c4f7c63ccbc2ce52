#include "theory/coordinate_law.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>

#include "catch.hpp"

using headroom::theory::CoordinateLaw;

TEST_CASE("the law of a coordinate is arcsine in the plane, uniform in space, the semicircle's in four dimensions") {
  const double pi = std::acos(-1.0);
  for (const double t : {-0.999, -0.6, 0.0, 0.3, 0.95}) {
    CHECK(CoordinateLaw(2).cdf(t) == Approx(0.5 + std::asin(t) / pi).epsilon(1e-13));
    CHECK(CoordinateLaw(3).cdf(t) == Approx(0.5 * (1.0 + t)).epsilon(1e-14));
    CHECK(CoordinateLaw(4).cdf(t) == Approx(0.5 + (std::asin(t) + t * std::sqrt(1.0 - t * t)) / pi).epsilon(1e-11));
  }
}

TEST_CASE("the tabulated logarithm stays within its stated error, which is below 1e-6, in any dimension") {
  for (const std::size_t dim : {2U, 3U, 4U, 5U, 6U, 7U, 16U, 64U, 192U, 768U, 4096U}) {
    const CoordinateLaw law(dim);
    CHECK(law.table_error() < 1e-6);
    const double a = 0.5 * (static_cast<double>(dim) - 1.0);
    double worst = 0.0;
    for (int k = 1; k < 5000; ++k) {
      const double t = std::sin((k / 2500.0 - 1.0) * 1.57);
      const double exact = t < 0.0 ? std::log(boost::math::ibeta(a, a, 0.5 * (1.0 + t)))
                                   : std::log1p(-boost::math::ibeta(a, a, 0.5 * (1.0 - t)));
      const double tabulated = law.log_cdf(t);
      if (exact < CoordinateLaw::log_floor) {
        CHECK(tabulated < CoordinateLaw::log_floor + 1e-6);
      } else {
        worst = std::max(worst, std::abs(tabulated - exact));
      }
    }
    CHECK(worst <= 1.5 * law.table_error() + 1e-11);
  }
}

TEST_CASE("outside [−1, 1] the law of a coordinate is 0 and 1") {
  for (const std::size_t dim : {2U, 3U, 50U}) {
    const CoordinateLaw law(dim);
    CHECK(law.log_cdf(1.0) == 0.0);
    CHECK(law.log_cdf(std::numeric_limits<double>::infinity()) == 0.0);
    CHECK(law.log_cdf(std::nextafter(1.0, 0.0)) == Approx(0.0).margin(1e-7));
    CHECK(law.log_cdf(-1.0) == -std::numeric_limits<double>::infinity());
    CHECK(law.log_cdf(-7.0) == -std::numeric_limits<double>::infinity());
    CHECK(law.cdf(-2.0) == 0.0);
    CHECK(law.cdf(2.0) == 1.0);
  }
}

TEST_CASE("a coordinate has variance 1/d") {
  for (const std::size_t dim : {2U, 3U, 10U, 300U}) {
    const CoordinateLaw law(dim);
    // E t² = ∫ 2t·P(|T| > t) dt.
    double moment = 0.0;
    constexpr int steps = 20000;
    for (int k = 0; k < steps; ++k) {
      const double t = (k + 0.5) / steps;
      moment += 2.0 * t * 2.0 * law.cdf(-t) / steps;
    }
    CHECK(moment == Approx(1.0 / static_cast<double>(dim)).epsilon(1e-4));
  }
}
