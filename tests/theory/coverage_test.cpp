#include "theory/coverage.hpp"

#include "catch.hpp"

using headroom::theory::coverage;

TEST_CASE("three independent heads at 0.8 cover 99.2 % of the tokens") {
  CHECK(coverage(0.8, 3) == Approx(0.992).epsilon(1e-14));
  CHECK(coverage(0.5, 1) == Approx(0.5).epsilon(1e-15));
  CHECK(coverage(1.0, 2) == 1.0);
  CHECK(coverage(0.3, 0) == 0.0);
  CHECK(coverage(1e-18, 5) == Approx(5e-18).epsilon(1e-12));
}
