#include "theory/gaussian_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "catch.hpp"
#include "theory/vanishing.hpp"

using namespace headroom::theory;  // NOLINT(google-build-using-namespace)

namespace {

using Lengths = std::vector<std::size_t>;

struct Estimate {
  double mean = 0;
  double error = 0;
};

/// Mean entropy of softmax(g/T) over draws of k normal logits of the given spread.
Estimate simulated(std::size_t k, double temperature, double sigma) {
  std::mt19937_64 bits(20251130);
  std::normal_distribution<double> normal;
  constexpr int draws = 4000;
  double sum = 0;
  double squares = 0;
  std::vector<double> weights(k);
  for (int draw = 0; draw < draws; ++draw) {
    for (double& x : weights) x = sigma * normal(bits) / temperature;
    const double top = *std::max_element(weights.begin(), weights.end());
    double total = 0;
    for (double& x : weights) total += x = std::exp(x - top);
    for (double& x : weights) x /= total;
    const double h = entropy<double>(weights);
    sum += h;
    squares += h * h;
  }
  const double mean = sum / draws;
  return {mean, std::sqrt(std::max(0.0, squares / draws - mean * mean) / draws)};
}

}  // namespace

TEST_CASE("the entropy of Gaussian logits is what simulation gives, and not what a tenth more spread gives") {
  for (const std::size_t k : {std::size_t{2}, std::size_t{20}, std::size_t{300}}) {
    for (const double temperature : {0.05, 0.3, 0.9, 1.1, 3.0}) {
      CAPTURE(k, temperature);
      const double expected = gaussian_entropy(Lengths{k}, temperature);
      const Estimate right = simulated(k, temperature, 1);
      CHECK(std::abs(expected - right.mean) < 4 * right.error + 1e-6);
      const Estimate wrong = simulated(k, temperature, 1.1);
      if (k == 300) CHECK(std::abs(expected - wrong.mean) > 4 * wrong.error);
    }
  }
}

TEST_CASE("the entropy of Gaussian logits has its known limits") {
  CHECK_THAT(gaussian_entropy(Lengths{1}, 0.7), Catch::Matchers::WithinAbs(0, 1e-6));
  // To second order, log k − (1 − 1/k)/(2T²).
  CHECK_THAT(gaussian_entropy(Lengths{64}, 100), Catch::Matchers::WithinAbs(std::log(64) - 63.0 / 64 / 2e4, 1e-6));
  // Two logits: E H(σ(√2 g/T)); for T → 0 it is T·(π²/6)·/√π.
  constexpr double pi = 3.14159265358979323846;
  CHECK_THAT(gaussian_entropy(Lengths{2}, 0.001),
             Catch::Matchers::WithinRel(0.001 * pi * pi / 6 / std::sqrt(pi), 1e-4));
  const double mean = (gaussian_entropy(Lengths{5}, 0.4) + gaussian_entropy(Lengths{80}, 0.4)) / 2;
  CHECK_THAT(gaussian_entropy(Lengths{5, 80}, 0.4), Catch::Matchers::WithinAbs(mean, 1e-6));
}

TEST_CASE("the effective temperature undoes the entropy of Gaussian logits") {
  const Lengths lengths = {40, 50, 60};
  const EffectiveTemperature effective(lengths);
  for (const double temperature : {0.002, 0.017, 0.1, 0.33, 1.0, 1.7, 20.0}) {
    CAPTURE(temperature);
    CHECK_THAT(effective.of(gaussian_entropy(lengths, temperature)), Catch::Matchers::WithinRel(temperature, 1e-3));
  }
  CHECK_THAT(effective.of(0), Catch::Matchers::WithinRel(EffectiveTemperature::lowest, 1e-12));
  CHECK(effective.of(100) > 100);
}
