#include "theory/weight_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "catch.hpp"
#include "tests/theory/rows.hpp"

using headroom::theory::merge_weights;
using headroom::theory::WeightNodes;
using headroom::theory_test::decreasing;
using headroom::theory_test::random_weights;

TEST_CASE("merged weights keep the count and the first three moments, and stay within the range") {
  std::mt19937_64 random(21);
  const auto nodes = std::make_unique<WeightNodes>();
  for (const double sigma : {0.0, 1e-7, 0.5, 3.0}) {
    for (const std::size_t length : {1U, 2U, 3U, 50U, 2000U}) {
      const std::vector<double> weights = decreasing(random_weights(random, length, sigma));
      for (const double growth : {0.0, 0.25}) {
        merge_weights(weights, 1.0, 0.3, growth, *nodes);
        for (const int power : {0, 1, 2, 3}) {
          double expected = 0.0;
          double merged = 0.0;
          for (const double weight : weights) expected += std::pow(weight / weights[0], power);
          for (std::size_t k = 0; k < nodes->size; ++k) {
            merged += nodes->count[k] * std::pow(nodes->value[k] / weights[0], power);
          }
          CHECK(merged == Approx(expected).epsilon(1e-11));
        }
        for (std::size_t k = 0; k < nodes->size; ++k) {
          CHECK(nodes->value[k] <= weights.front() * (1 + 1e-12));
          CHECK(nodes->value[k] >= weights.back() * (1 - 1e-9));
        }
      }
    }
  }
}

TEST_CASE("merging a thousand weights that span a factor of a million leaves a few dozen") {
  std::vector<double> weights(1000);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = std::exp(-0.0138 * static_cast<double>(i));
  const auto nodes = std::make_unique<WeightNodes>();
  merge_weights(weights, 1.0, 0.24, 0.25, *nodes);
  CHECK(nodes->size < 60);
}

TEST_CASE("more distinct weights than there is room for are merged, not lost") {
  std::vector<double> weights(5000);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = std::exp(-0.1 * static_cast<double>(i));
  const auto nodes = std::make_unique<WeightNodes>();
  merge_weights(weights, 1.0, 1e-3, 0.0, *nodes);
  CHECK(nodes->size <= WeightNodes::capacity);
  double count = 0.0;
  for (std::size_t k = 0; k < nodes->size; ++k) count += nodes->count[k];
  CHECK(count == Approx(5000.0));
}
