#include "verify/statistics/intervals.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "random.hpp"
#include "table.hpp"

using namespace headroom::verify;
using headroom::verify::testing::normal;
using headroom::verify::testing::read_table;

namespace {

/// Probability that the interval made of a binomial count covers p, summed over all counts.
template <class MakeInterval>
double coverage(std::uint64_t trials, double p, const MakeInterval& make) {
  double covered = 0.0;
  const auto n = static_cast<double>(trials);
  for (std::uint64_t x = 0; x <= trials; ++x) {
    const auto k = static_cast<double>(x);
    const double log_choose = std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
    if (make(x, trials).contains(p)) covered += std::exp(log_choose + k * std::log(p) + (n - k) * std::log1p(-p));
  }
  return covered;
}

}  // namespace

TEST_CASE("Clopper-Pearson limits agree with R and SciPy") {
  for (const char* name : {"r_clopper_pearson.csv", "scipy_clopper_pearson.csv"}) {
    const double margin = name[0] == 's' ? 5e-12 : 0.0;  // SciPy stops its root search at 2e-12
    for (const auto& row : read_table(name)) {
      const std::uint64_t x = std::stoull(row[0]);
      const std::uint64_t n = std::stoull(row[1]);
      const double confidence = std::stod(row[2]);
      CAPTURE(name, x, n, confidence);
      const Interval interval = clopper_pearson(x, n, confidence);
      CHECK(interval.lower == Approx(std::stod(row[3])).epsilon(1e-10).margin(margin));
      CHECK(interval.upper == Approx(std::stod(row[4])).epsilon(1e-10).margin(margin));
      CHECK(clopper_pearson_upper(x, n, confidence) == Approx(std::stod(row[5])).epsilon(1e-10).margin(margin));
    }
  }
}

TEST_CASE("Clopper-Pearson covers every probability with the stated confidence, and Wald's interval does not") {
  const auto exact = [](std::uint64_t x, std::uint64_t n) { return clopper_pearson(x, n, 0.95); };
  const auto upper = [](std::uint64_t x, std::uint64_t n) { return Interval{0.0, clopper_pearson_upper(x, n, 0.95)}; };
  const auto wald = [](std::uint64_t x, std::uint64_t n) {  // the wrong implementation
    const double p = static_cast<double>(x) / static_cast<double>(n);
    const double half = 1.959963984540054 * std::sqrt(p * (1.0 - p) / static_cast<double>(n));
    return Interval{p - half, p + half};
  };
  for (const std::uint64_t trials : {1U, 10U, 50U}) {
    double worst_wald = 1.0;
    for (double p = 0.005; p < 1.0; p += 0.005) {
      CHECK(coverage(trials, p, exact) >= 0.95 - 1e-12);
      CHECK(coverage(trials, p, upper) >= 0.95 - 1e-12);
      worst_wald = std::min(worst_wald, coverage(trials, p, wald));
    }
    CHECK(worst_wald < 0.5);
  }
}

TEST_CASE("without a success the upper limit is about three over the number of trials") {
  CHECK(clopper_pearson_upper(0, 1, 0.95) == Approx(0.95));
  CHECK(clopper_pearson_upper(0, 1'000'000'000, 0.95) == Approx(-std::log(0.05) * 1e-9).epsilon(1e-8));
  CHECK(clopper_pearson(0, 10, 0.95).lower == 0.0);
  CHECK(clopper_pearson(10, 10, 0.95).upper == 1.0);
  CHECK(clopper_pearson_upper(10, 10, 0.95) == 1.0);
  CHECK(clopper_pearson(3, 10, 0.95).lower == Approx(1.0 - clopper_pearson(7, 10, 0.95).upper).epsilon(1e-13));
}

TEST_CASE("the interval of a mean covers it with the stated confidence at five values, and the normal one does not") {
  std::mt19937_64 bits(21);
  const std::uint64_t runs = 20'000;
  std::uint64_t covered = 0;
  std::uint64_t covered_by_normal = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    Moments moments;
    for (int i = 0; i < 5; ++i) moments.add(7.0 + 3.0 * normal(bits));
    covered += mean_interval(moments, 0.95).contains(7.0) ? 1 : 0;
    const double z = std::abs(moments.mean - 7.0) / moments.standard_error();
    covered_by_normal += z <= 1.959963984540054 ? 1 : 0;  // the wrong implementation
  }
  CHECK(clopper_pearson(covered, runs, 0.9999).contains(0.95));
  CHECK(clopper_pearson(covered_by_normal, runs, 0.9999).upper < 0.95);
}

TEST_CASE("one value tells nothing about the mean, and equal values everything") {
  const double infinity = std::numeric_limits<double>::infinity();
  Moments moments;
  moments.add(0.1);
  CHECK(mean_interval(moments, 0.95).lower == -infinity);
  CHECK(mean_interval(moments, 0.95).upper == infinity);
  moments.add(0.1);
  CHECK(mean_interval(moments, 0.95).lower == 0.1);
  CHECK(mean_interval(moments, 0.95).upper == 0.1);
}

TEST_CASE("impossible counts and confidences are errors") {
  CHECK_THROWS_AS(clopper_pearson(0, 0, 0.95), headroom::Error);
  CHECK_THROWS_AS(clopper_pearson_upper(0, 0, 0.95), headroom::Error);
  CHECK_THROWS_AS(clopper_pearson(4, 3, 0.95), headroom::Error);
  CHECK_THROWS_AS(clopper_pearson(1, 3, 0.0), headroom::Error);
  CHECK_THROWS_AS(clopper_pearson(1, 3, 1.0), headroom::Error);
  CHECK_THROWS_AS(mean_interval({}, 95.0), headroom::Error);
  CHECK_THROWS_AS(student_quantile(0.5, 0.0), headroom::Error);
  CHECK_THROWS_AS(student_quantile(std::nan(""), 3.0), headroom::Error);
}
