#include "theory/vanishing.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "catch.hpp"
#include "tests/theory/rows.hpp"
#include "theory/gradient.hpp"

using namespace headroom::theory;
using headroom::theory_test::Wide;

TEST_CASE("softmax weights obey the printed and the sharp bounds, which lie inside the printed ones") {
  std::mt19937_64 random(1);
  for (const std::size_t length : {1U, 2U, 7U, 100U}) {
    for (const double bound : {0.0, 0.5, 3.0, 40.0}) {
      for (const double temperature : {0.3, 1.0, 8.0}) {
        std::uniform_real_distribution<double> uniform(-bound, bound);
        std::vector<double> logits(length);
        for (double& logit : logits) logit = bound > 0.0 ? uniform(random) : 0.0;
        logits[0] = bound;
        const auto sharp = softmax_weight_bounds_sharp(bound, temperature, length);
        const auto printed = softmax_weight_bounds_printed(bound, temperature, length);
        CHECK(sharp.lower >= printed.lower * (1 - 1e-14));
        CHECK(sharp.upper <= printed.upper * (1 + 1e-14));
        for (const double weight : softmax<double>(logits, temperature)) {
          CHECK(weight >= sharp.lower * (1 - 1e-14));
          CHECK(weight <= sharp.upper * (1 + 1e-14));
        }
      }
    }
  }
}

TEST_CASE("the sharp weight bounds are attained by one logit at one end and the rest at the other") {
  const double bound = 1.5;
  const double temperature = 0.7;
  std::vector<double> logits(9, -bound);
  logits[4] = bound;
  const auto sharp = softmax_weight_bounds_sharp(bound, temperature, logits.size());
  CHECK(softmax<double>(logits, temperature)[4] == Approx(sharp.upper).epsilon(1e-14));
  for (double& logit : logits) logit = -logit;
  CHECK(softmax<double>(logits, temperature)[4] == Approx(sharp.lower).epsilon(1e-14));
  const auto general = weight_bounds_sharp(std::exp(-bound / temperature), std::exp(bound / temperature), 9);
  CHECK(general.upper == Approx(sharp.upper).epsilon(1e-14));
  CHECK(general.lower == Approx(sharp.lower).epsilon(1e-14));
}

TEST_CASE("weight bounds survive spreads whose exponential overflows") {
  const auto sharp = softmax_weight_bounds_sharp(1e8, 1.0, 5);
  CHECK(sharp.lower == 0.0);
  CHECK(sharp.upper == 1.0);
  CHECK(softmax_weight_bounds_sharp(1e8, 1.0, 1).lower == 1.0);
}

TEST_CASE("entropy never falls below its bound and reaches log L for uniform weights") {
  const std::vector<double> uniform(32, 1.0 / 32);
  CHECK(entropy<double>(uniform) == Approx(std::log(32.0)).epsilon(1e-14));
  CHECK(entropy_lower(0.0, 1.0, 32) == Approx(std::log(32.0)).epsilon(1e-14));
  std::vector<double> logits(32, -2.0);
  logits[0] = 2.0;
  CHECK(entropy<double>(softmax<double>(logits, 1.0)) >= entropy_lower(2.0, 1.0, 32));
  CHECK(entropy<double>(std::vector<double>{1.0, 0.0}) == 0.0);
}

TEST_CASE("a token with the stated margin over all others has the stated weight") {
  for (const double weight : {1e-6, 0.2, 0.5, 0.999}) {
    std::vector<double> logits(50, 0.0);
    logits[7] = margin_for_weight(weight, logits.size(), 3.0);
    CHECK(softmax<double>(logits, 3.0)[7] == Approx(weight).epsilon(1e-12));
  }
}

TEST_CASE("Scalable-Softmax keeps, halves or loses a token ahead by a margin as s·m is above, at or below 1") {
  for (const double margin : {0.5, 2.0, 3.5}) {
    const double limit = scalable_softmax_limit(0.5, margin);
    double gap = 1.0;
    for (const std::size_t length : {100UL, 10'000UL, 100'000'000UL}) {
      const double next = std::abs(scalable_softmax_weight(0.5, margin, length) - limit);
      CHECK(next < gap);
      gap = next;
    }
  }
  CHECK(scalable_softmax_limit(0.5, 2.0) == 0.5);
  CHECK(scalable_softmax_weight(0.5, 2.0, 1) == 1.0);
}

TEST_CASE("the weight formulas agree with 168-bit evaluation") {
  const auto narrow = softmax_weight_bounds_sharp(3.0, 0.9, 17);
  const auto wide = softmax_weight_bounds_sharp(Wide(3.0), Wide(0.9), 17);
  CHECK(narrow.lower == Approx(static_cast<double>(wide.lower)).epsilon(1e-14));
  CHECK(narrow.upper == Approx(static_cast<double>(wide.upper)).epsilon(1e-14));
  CHECK(entropy_lower(3.0, 0.9, 17) == Approx(static_cast<double>(entropy_lower(Wide(3.0), Wide(0.9), 17))));
  CHECK(margin_for_weight(0.3, 17, 2.0) == Approx(static_cast<double>(margin_for_weight(Wide(0.3), 17, Wide(2.0)))));
}
