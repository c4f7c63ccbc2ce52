#include "verify/statistics/extrapolation.hpp"

#include <cmath>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "random.hpp"
#include "table.hpp"

using namespace headroom::verify;
using headroom::verify::testing::normal;
using headroom::verify::testing::read_table;

namespace {

const std::vector<double> lengths = {32, 64, 128, 256, 512, 1024};

}  // namespace

TEST_CASE("power-law fits agree with R's lm") {
  const std::vector<double> y = {3.1, 4.25, 6.2, 8.4, 12.3, 16.9};
  const std::vector<double> se = {0.02, 0.03, 0.03, 0.05, 0.06, 0.1};
  for (const auto& row : read_table("r_power_law.csv")) {
    const bool weighted = row[0] == "1";
    const PowerLawFit fit = fit_power_law(
        {lengths, y, weighted ? std::span<const double>(se) : std::span<const double>()}, std::stod(row[1]));
    CHECK(fit.exponent == Approx(std::stod(row[2])).epsilon(1e-11));
    CHECK(fit.interval.lower == Approx(std::stod(row[3])).epsilon(1e-11));
    CHECK(fit.interval.upper == Approx(std::stod(row[4])).epsilon(1e-11));
    CHECK(fit.prefactor == Approx(std::stod(row[5])).epsilon(1e-11));
    CHECK(fit.degrees_of_freedom == 4);
  }
}

TEST_CASE("limit fits agree with a profile found the other way round in R") {
  const std::vector<double> y = {0.912, 0.7493, 0.6561, 0.5951, 0.5622, 0.5387};
  const std::vector<double> se = {2e-3, 2e-3, 1e-3, 1e-3, 0.8e-3, 0.8e-3};
  for (const auto& row : read_table("r_limit.csv")) {
    const bool weighted = row[0] == "1";
    const LimitFit fit = fit_limit({lengths, y, weighted ? std::span<const double>(se) : std::span<const double>()},
                                   std::stod(row[1]), {0.05, 10.0});
    CHECK(fit.limit == Approx(std::stod(row[2])).epsilon(1e-6));
    CHECK(fit.interval.lower == Approx(std::stod(row[3])).epsilon(1e-6));
    CHECK(fit.interval.upper == Approx(std::stod(row[4])).epsilon(1e-6));
    CHECK(fit.degrees_of_freedom == 3);
  }
}

TEST_CASE("exact curves give back what they were made of") {
  std::vector<double> power;
  std::vector<double> decay;
  for (const double x : lengths) {
    power.push_back(3.0 * std::pow(x, -1.25));
    decay.push_back(0.4 - 2.0 * std::pow(x, -0.7));
  }
  const PowerLawFit exponent = fit_power_law({lengths, power, {}}, 0.95);
  CHECK(exponent.exponent == Approx(-1.25).epsilon(1e-12));
  CHECK(exponent.prefactor == Approx(3.0).epsilon(1e-12));
  CHECK(exponent.interval.upper - exponent.interval.lower < 1e-12);
  const LimitFit limit = fit_limit({lengths, decay, {}}, 0.95);
  CHECK(limit.limit == Approx(0.4).epsilon(1e-7));
  CHECK(limit.rate == Approx(0.7).epsilon(1e-6));
  CHECK(limit.amplitude == Approx(-2.0).epsilon(1e-5));
  const LimitFit fixed = fit_limit({lengths, decay, {}}, 0.95, {0.7, 0.7});
  CHECK(fixed.limit == Approx(0.4).epsilon(1e-12));
  CHECK(fixed.degrees_of_freedom == 4);
}

TEST_CASE("intervals cover the truth as stated, and naive ones do not") {
  std::mt19937_64 bits(61);
  const std::uint64_t runs = 400;
  const std::vector<double> se(lengths.size(), 0.01);
  std::uint64_t exponent_covered = 0;
  std::uint64_t limit_covered = 0;
  std::uint64_t last_value_covers = 0;  // the wrong implementation: the last value with its own error
  std::uint64_t wrong_rate_covers = 0;  // the wrong implementation: a rate taken for granted
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::vector<double> power;
    std::vector<double> decay;
    for (const double x : lengths) {
      power.push_back(std::sqrt(x) + 0.01 * normal(bits));
      decay.push_back(0.5 + 2.0 * std::pow(x, -0.6) + 0.01 * normal(bits));
    }
    exponent_covered += fit_power_law({lengths, power, se}, 0.95).interval.contains(0.5) ? 1 : 0;
    limit_covered += fit_limit({lengths, decay, se}, 0.95).interval.contains(0.5) ? 1 : 0;
    wrong_rate_covers += fit_limit({lengths, decay, se}, 0.95, {1.0, 1.0}).interval.contains(0.5) ? 1 : 0;
    last_value_covers += std::abs(decay.back() - 0.5) <= 1.96 * 0.01 ? 1 : 0;
  }
  // Scatter widens the interval but never narrows it, so the coverage is the stated one or more.
  CHECK(clopper_pearson(exponent_covered, runs, 0.999).upper > 0.95);
  CHECK(clopper_pearson(limit_covered, runs, 0.999).upper > 0.95);
  CHECK(clopper_pearson(wrong_rate_covers, runs, 0.999).upper < 0.95);
  CHECK(clopper_pearson(last_value_covers, runs, 0.999).upper < 0.95);
  // Nor are they so wide that they exclude nothing.
  std::vector<double> flat;
  for (const double x : lengths) flat.push_back(0.5 + 2.0 * std::pow(x, -0.6));
  CHECK_FALSE(fit_limit({lengths, flat, se}, 0.95).interval.contains(0.3));
  CHECK_FALSE(fit_limit({lengths, flat, se}, 0.95).interval.contains(0.6));
}

TEST_CASE("curvature that no power law has widens the interval") {
  std::vector<double> y;
  for (const double x : lengths) y.push_back(x / std::log(x));
  const std::vector<double> se(lengths.size(), 1e-6);
  const PowerLawFit fit = fit_power_law({lengths, y, se}, 0.95);
  CHECK(fit.chi_squared > 1e6);
  CHECK(fit.interval.upper - fit.interval.lower > 1e-3);
}

TEST_CASE("units do not matter") {
  const std::vector<double> y = {0.912, 0.7493, 0.6561, 0.5951, 0.5622, 0.5387};
  std::vector<double> scaled_x = lengths;
  std::vector<double> scaled_y = y;
  for (double& x : scaled_x) x *= 1e6;
  for (double& value : scaled_y) value = 1e-3 * value + 7.0;
  const LimitFit plain = fit_limit({lengths, y, {}}, 0.9);
  const LimitFit scaled = fit_limit({scaled_x, scaled_y, {}}, 0.9);
  CHECK(scaled.rate == Approx(plain.rate).epsilon(1e-4));
  CHECK(scaled.limit == Approx(1e-3 * plain.limit + 7.0).epsilon(1e-9));
  CHECK(scaled.interval.upper - 7.0 == Approx(1e-3 * plain.interval.upper).epsilon(1e-5));
}

TEST_CASE("grids that cannot be extrapolated are errors that name the point") {
  const std::vector<double> x = {1, 2, 4, 8};
  const std::vector<double> y = {1, 2, 3, 4};
  const std::vector<double> bad_y = {1, 2, -3, 4};
  const std::vector<double> nan_y = {1, std::nan(""), 3, 4};
  const std::vector<double> bad_x = {0, 2, 4, 8};
  const std::vector<double> same_x = {2, 2, 2, 2};
  const std::vector<double> bad_se = {0.1, 0.1, 0.1, 0.0};
  const std::vector<double> few = {1, 2};
  CHECK_THROWS_WITH(fit_power_law({x, bad_y, {}}, 0.95), contains("point 2"));
  CHECK_THROWS_WITH(fit_limit({x, nan_y, {}}, 0.95), contains("point 1"));
  CHECK_THROWS_WITH(fit_power_law({bad_x, y, {}}, 0.95), contains("point 0"));
  CHECK_THROWS_WITH(fit_limit({x, y, bad_se}, 0.95), contains("point 3"));
  CHECK_THROWS_AS(fit_power_law({same_x, y, {}}, 0.95), headroom::Error);
  CHECK_THROWS_AS(fit_power_law({few, few, {}}, 0.95), headroom::Error);
  CHECK_THROWS_AS(fit_limit({few, few, {}}, 0.95), headroom::Error);
  CHECK_THROWS_AS(fit_power_law({x, few, {}}, 0.95), headroom::Error);
  CHECK_THROWS_AS(fit_power_law({x, y, {}}, 1.0), headroom::Error);
  CHECK_THROWS_AS(fit_limit({x, y, {}}, 0.95, {2.0, 1.0}), headroom::Error);
  CHECK_THROWS_AS(fit_limit({x, y, {}}, 0.95, {0.0, 1.0}), headroom::Error);
}
