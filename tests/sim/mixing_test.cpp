#include "sim/mixing.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "sim/random.hpp"

using headroom::sim::mixing;
using headroom::sim::Stream;

namespace {

/// Four chains x_t = ρ x_{t−1} + √(1−ρ²) z_t, shifted by `shift` times their number.
std::vector<std::vector<double>> autoregressive(double rho, std::size_t length, double shift) {
  std::vector<std::vector<double>> chains;
  for (std::uint64_t c = 0; c < 4; ++c) {
    Stream stream(3, 1, c);
    double x = stream.normal();
    chains.emplace_back();
    for (std::size_t t = 0; t < length; ++t) {
      x = rho * x + std::sqrt(1 - rho * rho) * stream.normal();
      chains.back().push_back(x + shift * static_cast<double>(c));
    }
  }
  return chains;
}

}  // namespace

TEST_CASE("the effective sample size of an autoregression is N(1−ρ)/(1+ρ)") {
  for (const double rho : {0.0, 0.5, 0.9}) {
    const double expected = 40000 * (1 - rho) / (1 + rho);
    CHECK(mixing(autoregressive(rho, 10000, 0)).effective_sample_size == Approx(expected).epsilon(0.1));
    CHECK(mixing(autoregressive(rho, 10000, 0)).r_hat < 1.01);
  }
}

TEST_CASE("chains in different places, and chains that drift, have not mixed") {
  CHECK(mixing(autoregressive(0.5, 1000, 1)).r_hat > 1.2);
  std::vector<std::vector<double>> drifting = autoregressive(0, 1000, 0);
  for (auto& chain : drifting) {
    for (std::size_t t = 0; t < chain.size(); ++t) chain[t] += 3e-3 * static_cast<double>(t);
  }
  CHECK(mixing(drifting).r_hat > 1.1);
}

TEST_CASE("chains that never move have not mixed") {
  const std::vector<std::vector<double>> still(2, std::vector<double>(100, 1.0));
  CHECK(mixing(still).r_hat == std::numeric_limits<double>::infinity());
  CHECK(mixing(still).effective_sample_size == 0);
}
