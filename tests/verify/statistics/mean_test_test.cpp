#include "verify/statistics/mean_test.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "random.hpp"
#include "table.hpp"
#include "verify/statistics/intervals.hpp"

using namespace headroom::verify;
using headroom::verify::testing::normal;
using headroom::verify::testing::read_table;

TEST_CASE("intervals and p-values of a mean agree with R's t.test") {
  const std::vector<double> values = {0.25, 1.5, -2, 3.75, 8, 0.5, -1.25, 4, 2.5, 6, 1e6, 1e6 + 0.25, 1e6 + 1};
  for (const auto& row : read_table("r_mean.csv")) {
    Moments moments;
    for (std::size_t i = std::stoul(row[0]); i < std::stoul(row[1]); ++i) moments.add(values[i]);
    const double bound = std::stod(row[3]);
    const Interval interval = mean_interval(moments, std::stod(row[2]));
    CHECK(interval.lower == Approx(std::stod(row[4])).epsilon(1e-10));
    CHECK(interval.upper == Approx(std::stod(row[5])).epsilon(1e-10));
    CHECK(p_mean_differs(moments, bound) == Approx(std::stod(row[6])).epsilon(1e-10));
    CHECK(p_mean_exceeds(moments, bound) == Approx(std::stod(row[7])).epsilon(1e-10));
  }
}

TEST_CASE("at the bound itself the test rejects at its level, and a test by the normal law rejects too often") {
  std::mt19937_64 bits(31);
  const std::uint64_t runs = 20'000;
  std::uint64_t rejected = 0;
  std::uint64_t rejected_by_normal = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    Moments moments;
    for (int i = 0; i < 6; ++i) moments.add(2.0 + normal(bits));
    rejected += p_mean_exceeds(moments, 2.0) <= 0.01 ? 1 : 0;
    const double z = (moments.mean - 2.0) / moments.standard_error();
    rejected_by_normal += 0.5 * std::erfc(z / std::sqrt(2.0)) <= 0.01 ? 1 : 0;  // the wrong implementation
  }
  CHECK(clopper_pearson(rejected, runs, 0.9999).contains(0.01));
  CHECK(clopper_pearson(rejected_by_normal, runs, 0.9999).lower > 0.01);
}

TEST_CASE("the interval excludes exactly the values the two-sided test rejects") {
  Moments moments;
  for (const double value : {1.0, 2.0, 2.5, 4.0}) moments.add(value);
  const Interval interval = mean_interval(moments, 0.9);
  CHECK(p_mean_differs(moments, interval.lower) == Approx(0.1));
  CHECK(p_mean_differs(moments, interval.upper + 1e-9) < 0.1);
  CHECK(p_mean_exceeds(moments, interval.lower) == Approx(0.05));
}

TEST_CASE("a claim that holds with equality is not refuted by the last bit") {
  Moments moments;
  for (int i = 0; i < 10; ++i) moments.add(0.1 + 0.2);
  CHECK(p_mean_exceeds(moments, 0.3) == 0.0);
  CHECK(p_mean_exceeds(moments, 0.3, 1e-15) == 1.0);
  CHECK(p_mean_differs(moments, 0.3) == 0.0);
  CHECK(p_mean_differs(moments, 0.3, 1e-15) == 1.0);
}

TEST_CASE("tiny p-values keep their digits") {
  Moments moments;
  moments.count = 4;
  moments.mean = 1e10;
  moments.squared_deviations = 12.0;  // standard error 1
  // P(T₃ ≥ t) → 2·3√3/(3π t³)·…: the leading term of Student's tail with three degrees of freedom.
  CHECK(p_mean_exceeds(moments, 0.0) == Approx(2.0 * std::sqrt(3.0) / std::numbers::pi * 1e-30).epsilon(1e-9));
}

TEST_CASE("too few values never refute, and non-finite ones are not passed over") {
  const double infinity = std::numeric_limits<double>::infinity();
  Moments moments;
  moments.add(5.0);
  CHECK(p_mean_exceeds(moments, 0.0) == 1.0);
  moments.add(5.5);
  CHECK(p_mean_exceeds(moments, infinity) == 1.0);
  CHECK(p_mean_exceeds(moments, -infinity) == 0.0);
  CHECK_THROWS_AS(p_mean_exceeds(moments, 0.0, -1.0), headroom::Error);
  moments.add(std::nan(""));
  CHECK_THROWS_AS(p_mean_exceeds(moments, 0.0), headroom::Error);
  CHECK_THROWS_AS(p_mean_differs(moments, 0.0), headroom::Error);
}
