#include "sim/separation.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "catch.hpp"
#include "sim/random.hpp"

using headroom::sim::estimated_acceptance;
using headroom::sim::largest_separation;
using headroom::sim::pair_probability;
using headroom::sim::Stream;

TEST_CASE("a cap of the circle is its angle over 2π, and of the sphere its height over 2") {
  for (const double delta : {1e-9, 0.1, 1.0, std::numbers::sqrt2, 1.9, 2.0}) {
    CHECK(pair_probability(2, delta) == Approx(2 * std::asin(delta / 2) / std::numbers::pi).epsilon(1e-12));
    CHECK(pair_probability(3, delta) == Approx(delta * delta / 4).epsilon(1e-12));
  }
  CHECK(pair_probability(768, std::numbers::sqrt2) == Approx(0.5));
  CHECK(pair_probability(5, 0) == 0);
  CHECK(pair_probability(5, 2.1) == 1);
}

TEST_CASE("the estimated acceptance is the frequency, within a third of its logarithm") {
  Stream stream(1, 4, 0);
  const std::size_t trials = 20000;
  const double delta = 0.5;
  for (const std::size_t dim : {2u, 3u, 8u}) {
    std::size_t accepted = 0;
    std::vector<double> points(6 * dim);
    for (std::size_t t = 0; t < trials; ++t) {
      fill_sphere(stream, headroom::MatrixView<double>(points.data(), 6, dim));
      bool clear = true;
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          double square = 0;
          for (std::size_t k = 0; k < dim; ++k) square += std::pow(points[i * dim + k] - points[j * dim + k], 2);
          clear = clear && square >= delta * delta;
        }
      }
      accepted += clear ? 1 : 0;
    }
    const double frequency = static_cast<double>(accepted) / static_cast<double>(trials);
    CHECK(std::log(estimated_acceptance(6, dim, delta)) == Approx(std::log(frequency)).epsilon(1.0 / 3).margin(0.001));
  }
}

TEST_CASE("the largest separation is attained by the configurations known to be best") {
  using std::numbers::sqrt2;
  CHECK(largest_separation(2, 5) == 2);
  for (const std::size_t d : {2u, 3u, 4u, 10u}) {  // regular simplices, then cross-polytopes
    const auto dim = static_cast<double>(d);
    CHECK(largest_separation(d + 1, d) == Approx(std::sqrt(2 * (dim + 1) / dim)).epsilon(1e-12));
    if (d > 2) CHECK(largest_separation(2 * d, d) == Approx(sqrt2).epsilon(1e-12));
  }
  CHECK(largest_separation(7, 2) == Approx(2 * std::sin(std::numbers::pi / 7)));                      // heptagon
  CHECK(largest_separation(12, 3) == Approx(1 / std::sin(2 * std::numbers::pi / 5)).epsilon(1e-12));  // icosahedron
  CHECK(largest_separation(240, 8) >= 1);  // the roots of E8, 60° apart
  CHECK(largest_separation(24, 4) >= 1);   // the 24-cell
  CHECK(largest_separation(1, 4) == std::numeric_limits<double>::infinity());
}

TEST_CASE("more points never leave more room, and another dimension never less") {
  for (const std::size_t d : {2u, 3u, 4u, 8u, 64u}) {
    for (std::size_t n = 2; n < 300; ++n) {
      CAPTURE(n, d);
      CHECK(largest_separation(n + 1, d) <= largest_separation(n, d) * (1 + 1e-12));
      CHECK(largest_separation(n, d + 1) >= largest_separation(n, d) * (1 - 1e-12));
    }
  }
}
