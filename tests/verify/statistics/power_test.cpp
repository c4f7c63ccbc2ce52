#include "verify/statistics/power.hpp"

#include <cmath>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "random.hpp"
#include "table.hpp"
#include "verify/statistics/intervals.hpp"
#include "verify/statistics/mean_test.hpp"

using namespace headroom::verify;
using headroom::verify::testing::normal;
using headroom::verify::testing::read_table;

TEST_CASE("the power of the mean test agrees with R") {
  for (const auto& row : read_table("r_power.csv")) {
    const std::uint64_t n = std::stoull(row[0]);
    const double violation = std::stod(row[1]);
    const double sd = std::stod(row[2]);
    const double level = std::stod(row[3]);
    CAPTURE(n, violation, level);
    CHECK(mean_test_power({level, sd}, violation, n) == Approx(std::stod(row[4])).epsilon(1e-7));
    CHECK(mean_test_power({level, sd, Sides::two}, violation, n) == Approx(std::stod(row[5])).epsilon(1e-7));
  }
}

TEST_CASE("the stated power is how often the test finds the violation, and a shifted Student law is not") {
  std::mt19937_64 bits(51);
  const MeanTest test{0.01, 2.0};
  const double violation = 2.5;
  const std::uint64_t trials = 6;
  const std::uint64_t runs = 20'000;
  std::uint64_t found = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    Moments moments;
    for (std::uint64_t i = 0; i < trials; ++i) moments.add(violation + test.standard_deviation * normal(bits));
    found += p_mean_exceeds(moments, 0.0) <= test.level ? 1 : 0;
  }
  const Interval rate = clopper_pearson(found, runs, 0.9999);
  CHECK(rate.contains(mean_test_power(test, violation, trials)));
  // The wrong implementation: Student's central law moved by the noncentrality, t_{0.99, 5} = 3.3649 − 3.0619 = 0.3030.
  Moments central;
  central.count = 6;
  central.mean = 0.3030;
  central.squared_deviations = 30.0;
  CHECK_FALSE(rate.contains(p_mean_exceeds(central, 0.0)));
}

TEST_CASE("without a violation the power is the level") {
  CHECK(mean_test_power({0.01, 1.0}, 0.0, 50) == Approx(0.01).epsilon(1e-10));
  CHECK(mean_test_power({0.01, 1.0, Sides::two}, 0.0, 50) == Approx(0.01).epsilon(1e-10));
}

TEST_CASE("power grows with trials, without a step where the noncentrality becomes large") {
  for (const Sides sides : {Sides::one, Sides::two}) {
    double before = 0.0;
    for (double n = 2.0; n < 1e16; n *= 3.0) {
      const double power = mean_test_power({1e-5, 1.0, sides}, 1e-6, static_cast<std::uint64_t>(n));
      CHECK(power >= before - 1e-12);
      before = power;
    }
    CHECK(before == Approx(1.0));
    // Three trials, so that the power stays below 1: just below and above the change of formula.
    const double root = std::sqrt(3.0);
    const double below = mean_test_power({1e-8, 1.0, sides}, 0.9999e4 / root, 3);
    const double above = mean_test_power({1e-8, 1.0, sides}, 1.0001e4 / root, 3);
    CHECK(below < 0.99);
    CHECK(above - below > 0.0);
    CHECK(above - below < 2e-4);
  }
}

TEST_CASE("far too large violations are found for certain, whatever their size") {
  for (const double violation : {1e4, 1e8, 1e100, 1e300}) {
    CHECK(mean_test_power({0.01, 1.0}, violation, 50) == Approx(1.0));
    CHECK(mean_test_power({0.01, 1e-9}, violation, 9'000'000'000'000'000) == Approx(1.0));
  }
}

TEST_CASE("the trials needed are the fewest that reach the power") {
  for (const Sides sides : {Sides::one, Sides::two}) {
    for (const double violation : {3.0, 0.3, 0.01}) {
      const MeanTest test{0.001, 1.0, sides};
      const std::uint64_t needed = trials_needed(test, violation, 0.95);
      CHECK(mean_test_power(test, violation, needed) >= 0.95);
      CHECK(mean_test_power(test, violation, needed - 1) < 0.95);
    }
  }
  // Large samples: n ≈ (z_{0.99} + z_{0.95})²/violation².
  CHECK(static_cast<double>(trials_needed({0.01, 1.0}, 0.001, 0.95)) ==
        Approx(std::pow(2.3263478740408408 + 1.6448536269514722, 2) * 1e6).epsilon(1e-6));
}

TEST_CASE("edges and errors of power") {
  CHECK(mean_test_power({0.01, 1.0}, 1.0, 1) == 0.0);
  CHECK(mean_test_power({0.01, 0.0}, 1e-300, 2) == 1.0);
  CHECK(mean_test_power({0.01, 0.0}, 0.0, 2) == 0.0);
  CHECK(trials_needed({0.01, 0.0}, 0.1, 0.95) == 2);
  CHECK_THROWS_AS(mean_test_power({0.0, 1.0}, 0.1, 10), headroom::Error);
  CHECK_THROWS_AS(mean_test_power({0.01, -1.0}, 0.1, 10), headroom::Error);
  CHECK_THROWS_AS(mean_test_power({0.01, 1.0}, -0.1, 10), headroom::Error);
  CHECK_THROWS_AS(mean_test_power({0.01, std::nan("")}, 0.1, 10), headroom::Error);
  CHECK_THROWS_AS(trials_needed({0.01, 1.0}, 0.0, 0.95), headroom::Error);
  CHECK_THROWS_AS(trials_needed({0.01, 1.0}, 0.1, 1.0), headroom::Error);
  CHECK_THROWS_WITH(trials_needed({0.01, 1.0}, 1e-12, 0.95), contains("2^53"));
}
