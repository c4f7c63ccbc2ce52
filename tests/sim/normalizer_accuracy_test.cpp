#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "exact_normalizers.hpp"
#include "hard_rows.hpp"
#include "normalizer_cases.hpp"
#include "sim/normalizer.hpp"

using headroom::sim::Jacobian;
using headroom::sim::make_normalizer;
using headroom::sim::Normalizer;
using headroom::sim::test::Case;
using headroom::sim::test::cases;
using headroom::sim::test::exact_weights;
using headroom::sim::test::hard_row;
using headroom::sim::test::Real;

namespace {

constexpr std::size_t rows_per_case = 480;  // of 22 specs

std::vector<double> visible(const std::vector<double>& logits) {
  std::vector<double> kept;
  std::copy_if(logits.begin(), logits.end(), std::back_inserter(kept), [](double l) { return std::isfinite(l); });
  return kept;
}

/// Σ_j |∂α_i/∂l_j|·|l_j| for every i: what a relative change of the logits by one does to each weight.
std::vector<double> sensitivities(const Jacobian& j, const std::vector<double>& logits) {
  std::vector<double> sums(logits.size());
  std::vector<double> column(logits.size());
  std::vector<double> basis(logits.size());
  for (std::size_t k = 0; k < logits.size(); ++k) {
    basis[k] = 1;
    j.multiply(basis, column);
    basis[k] = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += std::abs(column[i] * logits[k]);
  }
  return sums;
}

}  // namespace

TEST_CASE("weights are within 4 ULP times the condition number of 128-bit evaluation, with its support") {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (const Case& c : cases) {
    const auto normalizer = make_normalizer(c.spec);
    double worst = 0;
    for (std::size_t index = 0; index < rows_per_case; ++index) {
      const auto [all, temperature] = hard_row(index);
      const std::vector<double> logits = visible(all);
      const std::vector<Real> exact = exact_weights(c.id, c.parameters, logits, temperature);
      std::vector<double> weights(logits.size());
      normalizer->weights(logits, temperature, weights);
      const std::vector<double> sensitivity = sensitivities(normalizer->jacobian(logits, temperature), logits);
      for (std::size_t i = 0; i < logits.size(); ++i) {
        const auto error = static_cast<double>(abs(Real(weights[i] - exact[i])));
        const double unit = epsilon * (std::abs(static_cast<double>(exact[i])) + sensitivity[i]);
        const double ulps = error / std::max(unit, std::numeric_limits<double>::denorm_min());
        if (!(ulps <= 4)) {
          CAPTURE(c.spec, index, i, temperature, logits, weights[i], static_cast<double>(exact[i]), sensitivity[i]);
          CHECK(ulps <= 4);
        }
        worst = std::max(worst, ulps);
        const bool clear = exact[i] == 0 || abs(exact[i]) > 1e-300;  // beyond the reach of underflow
        if (clear && (weights[i] != 0) != (exact[i] != 0)) {
          CAPTURE(c.spec, index, i);
          FAIL_CHECK("the support differs");
        }
      }
    }
    INFO(c.spec << ": worst " << worst);
    CHECK(worst <= 4);
    CHECK(worst > 0);
  }
}

TEST_CASE("weights sum to 1, and never fall below 0, where the normalizer says so") {
  for (const Case& c : cases) {
    const auto normalizer = make_normalizer(c.spec);
    for (std::size_t index = 0; index < rows_per_case; ++index) {
      const auto [logits, temperature] = hard_row(index);
      std::vector<double> weights(logits.size());
      normalizer->weights(logits, temperature, weights);
      Real sum = 0;
      double least = 0;
      for (const double w : weights) {
        sum += w;
        least = std::min(least, w);
      }
      CAPTURE(c.spec, index);
      if (normalizer->sums_to_one()) REQUIRE(abs(Real(sum - 1)) <= 1e-14);
      if (normalizer->nonnegative()) REQUIRE(least == 0);
    }
  }
}

TEST_CASE("sparsemax is the nearest point of the simplex: the Kuhn-Tucker conditions hold") {
  const auto normalizer = make_normalizer("sparsemax");
  for (std::size_t index = 0; index < rows_per_case; ++index) {
    const auto [all, temperature] = hard_row(index);
    const std::vector<double> logits = visible(all);
    std::vector<double> weights(logits.size());
    normalizer->weights(logits, temperature, weights);
    const double top = *std::max_element(logits.begin(), logits.end());
    const auto threshold = [&](std::size_t i) { return (Real(logits[i]) - top) / Real(temperature) - weights[i]; };
    const auto highest = static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    const Real tau = threshold(highest);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      CAPTURE(index, i);
      REQUIRE(threshold(i) - tau <= 1e-14);
      if (weights[i] > 0) REQUIRE(abs(Real(threshold(i) - tau)) <= 1e-14);
    }
  }
}

TEST_CASE("a row of ten thousand tokens at 1e8 keeps its sum") {
  std::vector<double> logits(10000);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = 1e8 + static_cast<double>(i % 97) * 0x1p-20;
  for (const Case& c : cases) {
    const auto normalizer = make_normalizer(c.spec);
    if (!normalizer->sums_to_one()) continue;
    std::vector<double> weights(logits.size());
    normalizer->weights(logits, 1, weights);
    Real sum = 0;
    for (const double w : weights) sum += w;
    CAPTURE(c.spec);
    CHECK(abs(Real(sum - 1)) <= 1e-14);
  }
}
