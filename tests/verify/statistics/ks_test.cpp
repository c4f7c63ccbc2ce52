#include "verify/statistics/ks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "random.hpp"
#include "table.hpp"
#include "verify/statistics/intervals.hpp"
#include "verify/statistics/ks_tail.hpp"

using namespace headroom::verify;
using headroom::verify::testing::numbers;
using headroom::verify::testing::read_table;
using headroom::verify::testing::uniform;

namespace {

std::vector<double> uniforms(std::mt19937_64& bits, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = uniform(bits);
  return values;
}

/// Every assignment of the pooled values to the two samples, each as likely: counts the assignments by statistic.
std::vector<std::int64_t> statistics_of_all_splits(std::int64_t n, std::int64_t m,
                                                   const std::vector<std::int64_t>& tie_groups) {
  std::vector<std::int64_t> count(static_cast<std::size_t>(n * m) + 1);
  std::vector<int> in_second(static_cast<std::size_t>(n + m));
  std::fill(in_second.begin() + n, in_second.end(), 1);
  do {
    std::int64_t i = 0;
    std::int64_t j = 0;
    std::int64_t statistic = 0;
    for (const std::int64_t size : tie_groups) {
      for (std::int64_t k = 0; k < size; ++k) ++(in_second[static_cast<std::size_t>(i + j)] != 0 ? j : i);
      statistic = std::max(statistic, std::abs(i * m - j * n));
    }
    ++count[static_cast<std::size_t>(statistic)];
  } while (std::next_permutation(in_second.begin(), in_second.end()));
  return count;
}

/// The largest |ours − truth| over all statistics of one tie pattern.
template <class Tail>
double worst_gap(std::int64_t n, std::int64_t m, const std::vector<std::int64_t>& groups, const Tail& tail) {
  const std::vector<std::int64_t> count = statistics_of_all_splits(n, m, groups);
  std::int64_t all = 0;
  for (const std::int64_t c : count) all += c;
  std::int64_t above = 0;
  double worst = 0.0;
  for (std::int64_t s = n * m; s >= 0; --s) {
    above += count[static_cast<std::size_t>(s)];
    worst = std::max(worst, std::abs(tail(n, m, s) - static_cast<double>(above) / static_cast<double>(all)));
  }
  return worst;
}

/// Sizes of runs of a random composition of total.
std::vector<std::int64_t> random_groups(std::int64_t total, std::mt19937_64& bits) {
  std::vector<std::int64_t> groups = {1};
  for (std::int64_t k = 1; k < total; ++k) {
    if (bits() % 2 == 0) {
      ++groups.back();
    } else {
      groups.push_back(1);
    }
  }
  return groups;
}

}  // namespace

TEST_CASE("the two-sample p-value is the share of all splits with at least that statistic, ties or not") {
  std::mt19937_64 bits(1);
  double worst = 0.0;
  double worst_ignoring_ties = 0.0;
  for (std::int64_t n = 1; n <= 7; ++n) {
    for (std::int64_t m = 1; m <= 7; ++m) {
      for (int pattern = 0; pattern < 12; ++pattern) {
        const std::vector<std::int64_t> groups =
            pattern == 0 ? std::vector<std::int64_t>(static_cast<std::size_t>(n + m), 1) : random_groups(n + m, bits);
        const auto ours = [&](auto a, auto b, auto s) { return two_sample_tail(a, b, s, groups); };
        const auto ignoring_ties = [](auto a, auto b, auto s) { return two_sample_tail(a, b, s); };
        worst = std::max(worst, worst_gap(n, m, groups, ours));
        worst_ignoring_ties = std::max(worst_ignoring_ties, worst_gap(n, m, groups, ignoring_ties));
      }
    }
  }
  CHECK(worst < 1e-14);
  CHECK(worst_ignoring_ties > 0.1);  // the wrong implementation
}

TEST_CASE("the two-sample p-value agrees with counted paths and with SciPy") {
  for (const auto& row : read_table("ks_two_sample.csv")) {
    const double p = two_sample_tail(std::stoll(row[0]), std::stoll(row[1]), std::stoll(row[2]));
    CAPTURE(row[0], row[1], row[2]);
    CHECK(p == Approx(std::stod(row[3])).epsilon(1e-11));
    if (row[5] == "1") CHECK(p == Approx(std::stod(row[4])).epsilon(1e-8));
  }
}

TEST_CASE("the two-sample p-value under ties agrees with counted paths") {
  for (const auto& row : read_table("ks_ties.csv")) {
    std::vector<std::int64_t> groups;
    for (const double size : numbers(row[4])) groups.push_back(static_cast<std::int64_t>(size));
    CAPTURE(row[0], row[1], row[2], row[4]);
    const double p = two_sample_tail(std::stoll(row[0]), std::stoll(row[1]), std::stoll(row[2]), groups);
    CHECK(p == Approx(std::stod(row[3])).epsilon(1e-12));
  }
}

TEST_CASE("tied samples get the statistic and the p-value of R's ks.test") {
  for (const auto& row : read_table("r_ks_ties.csv")) {
    const KsResult result = ks_two_sample(numbers(row[2]), numbers(row[3]));
    CHECK(result.statistic == Approx(std::stod(row[0])).epsilon(1e-14));
    CHECK(result.p_value == Approx(std::stod(row[1])).epsilon(1e-10));
    CHECK(result.method == KsMethod::exact);
  }
}

TEST_CASE("two large samples far apart have a p-value of zero, not one") {
  // Statistic 0.856 at sizes 5,971 and 6,000: the first 5,112 values of the pooled order belong to the first sample.
  std::vector<double> first(5971);
  std::vector<double> second(6000);
  for (std::size_t i = 0; i < first.size(); ++i)
    first[i] = i < 5112 ? static_cast<double>(i) : 1e5 + static_cast<double>(i);
  for (std::size_t j = 0; j < second.size(); ++j) second[j] = 1e4 + static_cast<double>(j);
  const KsResult result = ks_two_sample(first, second);
  CHECK(result.method == KsMethod::exact);
  CHECK(result.statistic == Approx(5112.0 / 5971.0).epsilon(1e-15));
  CHECK(result.p_value >= 0.0);
  CHECK(result.p_value < 1e-300);
}

TEST_CASE("p-values of samples of one law are uniform") {
  // 40 pairs of sizes 3,500 and 4,000: were they pinned near 1, or near 0, their own test would reject.
  std::mt19937_64 bits(2);
  std::vector<double> p_values;
  for (int pair = 0; pair < 40; ++pair) {
    p_values.push_back(ks_two_sample(uniforms(bits, 3500), uniforms(bits, 4000)).p_value);
  }
  const auto identity = [](double p) { return p; };
  CHECK(ks_one_sample(p_values, identity).p_value > 1e-3);
  // The wrong test: 1 − p, as a tail taken on the wrong side of a small probability gives, pinned to 1.
  for (double& p : p_values) p = 1.0 - 1e-3 * p;
  CHECK(ks_one_sample(p_values, identity).p_value < 1e-9);
}

TEST_CASE("the exact test keeps its level on discrete laws, where ignoring ties wastes it") {
  // Three values, n = m = 30, level 0.05: the conditional test may reject at most 5 %, and should come near.
  std::mt19937_64 bits(3);
  const int runs = 4000;
  std::uint64_t rejected = 0;
  std::uint64_t rejected_ignoring_ties = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> a = uniforms(bits, 30);
    std::vector<double> b = uniforms(bits, 30);
    for (double& value : a) value = std::floor(3.0 * value);
    for (double& value : b) value = std::floor(3.0 * value);
    const KsResult result = ks_two_sample(a, b);
    rejected += result.p_value <= 0.05 ? 1 : 0;
    rejected_ignoring_ties += two_sample_tail(30, 30, std::llround(result.statistic * 900.0)) <= 0.05 ? 1 : 0;
  }
  const Interval rate = clopper_pearson(rejected, runs, 0.999);
  const Interval rate_ignoring_ties = clopper_pearson(rejected_ignoring_ties, runs, 0.999);
  CHECK(rate.lower <= 0.05);
  CHECK(rate.upper >= 0.03);
  CHECK(rate_ignoring_ties.upper < 0.03);  // the wrong implementation
}

TEST_CASE("the two-sample test does not depend on the order of samples or values, nor on monotone maps") {
  std::mt19937_64 bits(4);
  std::vector<double> a = uniforms(bits, 60);
  std::vector<double> b = uniforms(bits, 45);
  for (double& value : b) value = std::sqrt(value);
  const KsResult here = ks_two_sample(a, b);
  const KsResult there = ks_two_sample(b, a);
  CHECK(here.statistic == there.statistic);
  CHECK(here.p_value == Approx(there.p_value).epsilon(1e-13));
  std::reverse(a.begin(), a.end());
  for (double& value : a) value = std::exp(value);
  for (double& value : b) value = std::exp(value);
  CHECK(ks_two_sample(a, b).p_value == here.p_value);
}

TEST_CASE("edges of the two-sample test") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> one = {1.0};
  const std::vector<double> two = {2.0};
  CHECK(ks_two_sample(one, one).statistic == 0.0);
  CHECK(ks_two_sample(one, one).p_value == 1.0);
  CHECK(ks_two_sample(one, two).statistic == 1.0);
  CHECK(ks_two_sample(one, two).p_value == 1.0);
  CHECK(ks_two_sample(std::vector{-0.0}, std::vector{0.0}).statistic == 0.0);
  CHECK(ks_two_sample(std::vector{-infinity, 0.0, infinity}, std::vector{infinity, infinity}).statistic ==
        Approx(2.0 / 3.0));
  // No two of 100 and 100 values out of place: the two splits of C(200, 100).
  std::vector<double> low(100, 0.0);
  std::vector<double> high(100, 1.0);
  const double log_splits = std::lgamma(201.0) - 2.0 * std::lgamma(101.0);
  CHECK(ks_two_sample(low, high).p_value == Approx(2.0 * std::exp(-log_splits)).epsilon(1e-11));
}

TEST_CASE("beyond the exact limit the test says asymptotic and continues the exact values") {
  std::mt19937_64 bits(5);
  const KsResult exact = ks_two_sample(uniforms(bits, 10'000), uniforms(bits, 10'000));
  CHECK(exact.method == KsMethod::exact);
  CHECK(exact.p_value == Approx(kolmogorov_tail(exact.statistic * std::sqrt(5000.0))).margin(0.02));
  CHECK(ks_two_sample(uniforms(bits, 10'001), uniforms(bits, 10'000)).method == KsMethod::asymptotic);
  CHECK(ks_two_sample(uniforms(bits, 20'000), uniforms(bits, 50)).method == KsMethod::exact);
}

TEST_CASE("the one-sample p-value agrees with R and SciPy") {
  for (const auto& row : read_table("r_ks_one_sample.csv")) {
    CAPTURE(row[0], row[1]);
    const double p = one_sample_tail(std::stoll(row[0]), std::stod(row[1]));
    CHECK(p == Approx(std::stod(row[2])).epsilon(1e-14).margin(5e-12));  // one minus a power that R rounds n times
  }
  for (const auto& row : read_table("ks_one_sample.csv")) {
    CAPTURE(row[0], row[1]);
    const std::int64_t n = std::stoll(row[0]);
    // SciPy turns to Pelz and Good's expansion above 140 values.
    CHECK(one_sample_tail(n, std::stod(row[1])) == Approx(std::stod(row[2])).epsilon(n <= 140 ? 1e-11 : 1e-5));
  }
}

TEST_CASE("the one-sample tail agrees with sixty digits") {
  for (const auto& row : read_table("ks_one_sample_digits.csv")) {
    CAPTURE(row[0], row[1]);
    CHECK(std::abs(one_sample_tail(std::stoll(row[0]), std::stod(row[1])) - std::stod(row[2])) < 1e-13);
  }
}

TEST_CASE("the one-sample tail does not jump where its formula changes") {
  for (const std::int64_t n : {20, 100, 2000}) {
    const double change = std::min(0.5, 2.0 / std::sqrt(static_cast<double>(n)));
    const double below = one_sample_tail(n, change * (1.0 - 1e-13));
    const double above = one_sample_tail(n, change * (1.0 + 1e-13));
    CHECK(below == Approx(above).epsilon(1e-9));
  }
}

TEST_CASE("the one-sample tail has the closed forms at its ends") {
  for (const std::int64_t n : {1, 2, 3, 10, 100}) {
    const auto size = static_cast<double>(n);
    CHECK(one_sample_tail(n, 0.5 / size) == 1.0);
    CHECK(one_sample_tail(n, 0.0) == 1.0);
    CHECK(one_sample_tail(n, 1.0) == 0.0);
    // P(D < d) = n!·(2d − 1/n)ⁿ for 1/(2n) ≤ d ≤ 1/n; P(D ≥ d) = 2(1−d)ⁿ for d ≥ 1 − 1/n.
    const double low = 0.8 / size;
    const double below = std::exp(std::lgamma(size + 1.0) + size * std::log(2.0 * low - 1.0 / size));
    if (n > 1) CHECK(one_sample_tail(n, low) == Approx(1.0 - below).epsilon(1e-12));
    const double high = 1.0 - 0.5 / size;
    CHECK(one_sample_tail(n, high) == Approx(2.0 * std::pow(1.0 - high, size)).epsilon(1e-11));
  }
}

TEST_CASE("a sample is tested against its own law, and a shifted law is found") {
  std::mt19937_64 bits(6);
  for (const std::size_t size : {500U, 20'000U}) {
    std::vector<double> sample = uniforms(bits, size);
    const KsResult right = ks_one_sample(sample, [](double x) { return x; });
    const KsResult wrong = ks_one_sample(sample, [](double x) { return x * std::sqrt(x); });
    CHECK(right.method == (size <= 2000 ? KsMethod::exact : KsMethod::asymptotic));
    CHECK(right.p_value > 1e-3);
    CHECK(wrong.p_value < 1e-12);
  }
}

TEST_CASE("the corrected limiting law meets the exact one at the limit") {
  const std::int64_t n = ks_one_sample_exact_limit;
  const double root = std::sqrt(static_cast<double>(n));
  for (const double x : {0.5, 0.8, 1.2, 1.9}) {
    const double corrected = x + 1.0 / (6.0 * root) + (x - 1.0) / (4.0 * static_cast<double>(n));
    const double exact = one_sample_tail(n, x / root);
    CHECK(std::abs(kolmogorov_tail(corrected) - exact) < 1e-4);
    if (x < 1.5) CHECK(std::abs(kolmogorov_tail(x) - exact) > 1e-3);  // without the correction
  }
}

TEST_CASE("Kolmogorov's law is continuous where its two series meet") {
  CHECK(kolmogorov_tail(1.0 - 1e-15) == Approx(kolmogorov_tail(1.0)).epsilon(1e-13));
  CHECK(kolmogorov_tail(1.0) == Approx(0.26999967167735456).epsilon(1e-14));  // 2(e⁻² − e⁻⁸ + e⁻¹⁸ − …)
  CHECK(kolmogorov_tail(0.0) == 1.0);
  CHECK(kolmogorov_tail(0.04) == 1.0);
  CHECK(kolmogorov_tail(10.0) == Approx(2.0 * std::exp(-200.0)));
}

TEST_CASE("a NaN and an empty sample are errors that say where") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> good = {1.0, 2.0};
  const std::vector<double> bad = {1.0, 2.0, nan};
  const std::vector<double> none;
  const auto identity = [](double x) { return x; };
  CHECK_THROWS_AS(ks_two_sample(none, good), headroom::Error);
  CHECK_THROWS_AS(ks_two_sample(good, none), headroom::Error);
  CHECK_THROWS_AS(ks_one_sample(none, identity), headroom::Error);
  CHECK_THROWS_AS(ks_one_sample(good, identity), headroom::Error);  // 2 is no probability
  CHECK_THROWS_AS(ks_one_sample(good, [&](double) { return nan; }), headroom::Error);
  CHECK_THROWS_WITH(ks_two_sample(good, bad), contains("second sample") && contains("element 2"));
}
