#include "verify/attack/maximise.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "catch.hpp"

using namespace headroom::verify;

namespace {

const Box square{{-3.0, -3.0}, {3.0, 3.0}};

// A cone with its tip at (1, −1/2): no derivative where the maximum is.
double cone(std::span<const double> at) { return -std::hypot(at[0] - 1.0, at[1] + 0.5); }

}  // namespace

TEST_CASE("the optimiser climbs to a tip that has no derivative") {
  const Maximum top = maximise(cone, square, {-2.0, 2.5}, 500);
  CHECK(top.value > -1e-8);
  CHECK(top.value == cone(top.at));
}

TEST_CASE("the optimiser keeps within its evaluations and the box, and is never worse than its start") {
  int calls = 0;
  const auto counted = [&](std::span<const double> at) {
    ++calls;
    CHECK(std::abs(at[0]) <= 3.0);
    CHECK(std::abs(at[1]) <= 3.0);
    return cone(at);
  };
  for (const int allowed : {1, 2, 40}) {
    calls = 0;
    const Maximum top = maximise(counted, square, {9.0, 0.0}, allowed);
    CHECK(calls <= allowed);
    const std::vector<double> corner = {3.0, 0.0};
    CHECK(top.value >= cone(corner));
  }
}

TEST_CASE("the optimiser steps over values that are no numbers and lets exceptions through") {
  const auto broken = [](std::span<const double> at) {
    return at[0] < 0.0 ? std::numeric_limits<double>::quiet_NaN() : cone(at);
  };
  CHECK(maximise(broken, square, {-1.0, 0.0}, 400).value > -1e-6);
  CHECK_THROWS_AS(
      maximise([](std::span<const double>) -> double { throw std::domain_error("no"); }, square, {0.0, 0.0}, 10),
      std::domain_error);
}
