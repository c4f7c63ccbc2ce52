#include "theory/gradient.hpp"

#include <cmath>
#include <vector>

#include "catch.hpp"
#include "tests/theory/rows.hpp"
#include "theory/jacobian_norm.hpp"

using namespace headroom::theory;
using headroom::theory_test::Wide;

TEST_CASE("two equal logits attain the sharp bound and break the printed one") {
  const std::vector<double> weights = {0.5, 0.5};
  for (const double temperature : {0.1, 1.0, 8.0}) {
    const double norm = jacobian_norm(weights) / temperature;
    CHECK(norm == Approx(softmax_jacobian_bound_sharp(temperature)).epsilon(1e-15));
    CHECK(norm > softmax_jacobian_bound_printed(temperature));
  }
}

TEST_CASE("the general Jacobian bound holds for softmax rows") {
  std::mt19937_64 random(3);
  for (const double sigma : {0.1, 1.0, 3.0}) {
    std::normal_distribution<double> normal(0.0, sigma);
    std::vector<double> logits(20);
    for (double& logit : logits) logit = normal(random);
    const auto [low, high] = std::minmax_element(logits.begin(), logits.end());
    const double bound = jacobian_bound(std::exp(*high), std::exp(*low), std::exp(*high), logits.size());
    CHECK(jacobian_norm(softmax<double>(logits, 1.0)) <= bound);
  }
}

TEST_CASE("the response to a step approaches the Jacobian's as the step shrinks, without losing digits") {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::vector<double> logits(30);
  for (double& logit : logits) logit = normal(random);
  std::vector<double> direction(30);
  const double norm = jacobian_top_vector(softmax<double>(logits, 0.5), direction) / 0.5;
  for (const double epsilon : {1e-8, 1e-12, 1e-100}) {
    CHECK(softmax_response<double>(logits, direction, 0.5, epsilon) == Approx(norm).epsilon(10 * epsilon + 1e-13));
  }
}

TEST_CASE("the response agrees with 168-bit evaluation and obeys its bound on both sides of the switch of formula") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> logits(12);
  std::vector<double> direction(12);
  double square = 0.0;
  for (double& logit : logits) logit = 2.0 * normal(random);
  for (double& component : direction) square += std::pow(component = normal(random), 2);
  for (double& component : direction) component /= std::sqrt(square);
  const std::vector<Wide> wide_logits(logits.begin(), logits.end());
  const std::vector<Wide> wide_direction(direction.begin(), direction.end());
  for (const double temperature : {1e-3, 0.1, 1.0, 100.0}) {
    for (const double epsilon : {1e-3, 0.1, 10.0}) {
      const double response = softmax_response<double>(logits, direction, temperature, epsilon);
      const Wide exact = softmax_response<Wide>(wide_logits, wide_direction, Wide(temperature), Wide(epsilon));
      CHECK(response == Approx(static_cast<double>(exact)).epsilon(1e-10).margin(1e-150));
      CHECK(response <= softmax_response_bound(temperature, epsilon) * (1 + 1e-12));
    }
  }
}

TEST_CASE("softmax takes logits of ±1e8 and minus infinity") {
  const std::vector<double> logits = {1e8, -1e8, 1e8, -std::numeric_limits<double>::infinity()};
  CHECK(softmax<double>(logits, 1.0) == std::vector<double>{0.5, 0.0, 0.5, 0.0});
}
