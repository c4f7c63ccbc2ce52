#include "verify/attack/shrink.hpp"

#include <cmath>

#include "catch.hpp"

using namespace headroom::verify;

namespace {

PointInput drawn(const Shape& shape, const Domain& domain) {
  headroom::sim::Stream stream(7, 1, 0);
  return draw_input(stream, shape, domain);
}

}  // namespace

TEST_CASE("roundness orders numbers as people would write them") {
  CHECK(digits_of(0.0) == 0);
  CHECK(digits_of(1.0) == 1);
  CHECK(digits_of(-1.0) == digits_of(1.0));
  CHECK(digits_of(1.0) < digits_of(2.0));
  CHECK(digits_of(2.0) < digits_of(3.0));
  CHECK(digits_of(3.0) < digits_of(0.1));
}

TEST_CASE("an input that fails whatever it is shrinks to the least the claim speaks of") {
  const Domain domain{.vectors = true};
  const PointInput small =
      shrink(drawn({.length = 9, .dim = 5, .top = 3}, domain), domain, [](const PointInput&) { return true; });
  CHECK(small.shape == Shape{.length = 2, .dim = 2, .top = 1});
  CHECK(small.temperature == 1.0);
  CHECK(small.logits == std::vector<double>(2, 0.0));
  CHECK(small.vectors == std::vector<double>(4, 0.0));
}

TEST_CASE("shrinking keeps what makes an input fail and nothing else") {
  Domain domain;
  domain.step = true;
  PointInput input = drawn({.length = 20}, domain);
  input.logits[11] = 7.123456789;
  const auto fails = [](const PointInput& candidate) {
    for (const double logit : candidate.logits) {
      if (logit > 6.6 && candidate.temperature < 19.0) return true;
    }
    return false;
  };
  input.temperature = 0.37;
  const PointInput small = shrink(input, domain, fails);
  CHECK(fails(small));
  CHECK(small.logits == std::vector<double>{8.0});
  CHECK(small.temperature == 1.0);
  CHECK(small.direction.size() == 1);
}

TEST_CASE("every candidate of a shrink lies in the claim's domain") {
  Domain domain{.logit = {-3.0, 3.0}, .temperature = {0.3, 0.7}};
  domain.step = true;
  domain.epsilon = {0.01, 0.02};
  domain.least_length = 3;
  const PointInput small = shrink(drawn({.length = 8}, domain), domain, [&](const PointInput& candidate) {
    CHECK(domain.admits(candidate.shape));
    CHECK(candidate.temperature >= 0.3);
    CHECK(candidate.temperature <= 0.7);
    CHECK(candidate.epsilon >= 0.01);
    CHECK(candidate.epsilon <= 0.02);
    return true;
  });
  CHECK(small.temperature == 0.5);
  CHECK(small.epsilon == 0.015625);
  CHECK(small.shape.length == 3);
}
