#include "verify/statistics/holm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "random.hpp"
#include "table.hpp"
#include "verify/statistics/intervals.hpp"

using namespace headroom::verify;
using headroom::verify::testing::numbers;
using headroom::verify::testing::read_table;
using headroom::verify::testing::uniform;

namespace {

/// The wrong implementation: each p-value times its own factor, without the running maximum.
std::vector<double> without_monotonicity(const std::vector<double>& p) {
  std::vector<double> result(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto before =
        static_cast<double>(std::count_if(p.begin(), p.end(), [&](double other) { return other < p[i]; }));
    result[i] = std::min(1.0, (static_cast<double>(p.size()) - before) * p[i]);
  }
  return result;
}

/// The closure of Bonferroni's test: a hypothesis is rejected when every set that contains it holds a small enough p.
bool rejected_by_closure(const std::vector<double>& p, std::size_t which, double level) {
  for (unsigned set = 0; set < (1U << p.size()); ++set) {
    if ((set >> which & 1U) == 0) continue;
    int size = 0;
    double smallest = 1.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if ((set >> i & 1U) == 0) continue;
      ++size;
      smallest = std::min(smallest, p[i]);
    }
    if (size * smallest > level) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("Holm's adjusted p-values agree with R, and without the running maximum they would not") {
  bool wrong_agrees = true;
  for (const auto& row : read_table("r_holm.csv")) {
    const std::vector<double> p = numbers(row[0]);
    const std::vector<double> truth = numbers(row[1]);
    const std::vector<double> ours = holm_adjusted(p);
    const std::vector<double> wrong = without_monotonicity(p);
    REQUIRE(ours.size() == truth.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
      CHECK(ours[i] == Approx(truth[i]).epsilon(1e-14));
      wrong_agrees = wrong_agrees && wrong[i] == Approx(truth[i]).epsilon(1e-14);
    }
  }
  CHECK_FALSE(wrong_agrees);
}

TEST_CASE("Holm rejects what the closed Bonferroni test rejects, and without the running maximum it would not") {
  std::mt19937_64 bits(41);
  bool wrong_agrees = true;
  for (int run = 0; run < 500; ++run) {
    std::vector<double> p(6);
    for (double& value : p) value = 0.1 * std::pow(uniform(bits), 2);
    const std::vector<bool> ours = holm_rejected(p, 0.05);
    const std::vector<double> wrong = without_monotonicity(p);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const bool truth = rejected_by_closure(p, i, 0.05);
      CHECK(ours[i] == truth);
      wrong_agrees = wrong_agrees && (wrong[i] <= 0.05) == truth;
    }
  }
  CHECK_FALSE(wrong_agrees);
}

TEST_CASE("among true hypotheses Holm makes any false rejection at the family-wise level only") {
  std::mt19937_64 bits(42);
  const std::uint64_t runs = 20'000;
  std::uint64_t any = 0;
  std::uint64_t any_uncorrected = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::vector<double> p(20);
    for (double& value : p) value = uniform(bits);
    const std::vector<bool> rejected = holm_rejected(p, 0.05);
    any += std::find(rejected.begin(), rejected.end(), true) != rejected.end() ? 1 : 0;
    any_uncorrected += *std::min_element(p.begin(), p.end()) <= 0.05 ? 1 : 0;  // the wrong implementation
  }
  // 20 independent uniform p-values: 1 − (1 − 0.05/20)²⁰.
  CHECK(clopper_pearson(any, runs, 0.9999).contains(1.0 - std::pow(1.0 - 0.0025, 20)));
  CHECK(clopper_pearson(any_uncorrected, runs, 0.9999).lower > 0.05);
}

TEST_CASE("the order given is kept and ties are treated alike") {
  const std::vector<double> p = {0.3, 0.01, 0.3, 0.01};
  const std::vector<double> adjusted = holm_adjusted(p);
  CHECK(adjusted[1] == Approx(0.04));
  CHECK(adjusted[3] == Approx(0.04));
  CHECK(adjusted[0] == Approx(0.6));
  CHECK(adjusted[2] == Approx(0.6));
  CHECK(holm_adjusted({}).empty());
  CHECK(holm_rejected({}, 0.05).empty());
}

TEST_CASE("what is no p-value is an error that names its place") {
  CHECK_THROWS_WITH(holm_adjusted(std::vector{0.1, std::nan("")}), contains("p-value 1"));
  CHECK_THROWS_AS(holm_adjusted(std::vector{-1e-9}), headroom::Error);
  CHECK_THROWS_AS(holm_adjusted(std::vector{1.0 + 1e-9}), headroom::Error);
  CHECK_THROWS_AS(holm_rejected(std::vector{0.1}, 1.0), headroom::Error);
}
