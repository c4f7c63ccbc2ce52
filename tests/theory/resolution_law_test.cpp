#include "theory/resolution_law.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.hpp"
#include "tests/theory/rows.hpp"

using headroom::theory::CoordinateLaw;
using headroom::theory::ResolutionLaw;
using headroom::theory_test::decreasing;
using headroom::theory_test::random_weights;

namespace {

/// Π_{j∈O} F_d((α_j² − A)/(2α_j S)): the chance that no non-selected token lies nearer to s, ‖s‖ = S.
double none_nearer(const CoordinateLaw& law, std::span<const double> rest, double a, double s) {
  double sum = 0.0;
  for (const double weight : rest) {
    if (weight == 0.0) {
      if (!(a < 0.0)) return 0.0;
      continue;
    }
    sum += law.log_cdf((weight * weight - a) / (2.0 * weight * s));
    if (sum < -30.0) return 0.0;
  }
  return std::exp(sum);
}

/// The law by its formula, every token by itself, the midpoint rule in φ.
double law_by_formula(const CoordinateLaw& law, const std::vector<double>& weights, std::size_t top, int steps = 6000) {
  const double end = std::min(std::acos(0.0), 6.0 / std::sqrt(static_cast<double>(law.dim())));
  double sum = 0.0;
  for (std::size_t i = 0; i < top; ++i) {
    double others = 0.0;
    for (std::size_t k = 0; k < top; ++k) others += k == i ? 0.0 : weights[k] * weights[k];
    double integral = 0.0;
    double norm = 0.0;
    for (int k = 0; k < steps; ++k) {
      const double phi = end * (2.0 * (k + 0.5) / steps - 1.0);
      const double density = std::pow(std::cos(phi), static_cast<double>(law.dim()) - 2.0);
      const double cross = 2.0 * weights[i] * std::sqrt(others) * std::sin(phi);
      const double a = -weights[i] * weights[i] - cross;
      const double s = std::sqrt(weights[i] * weights[i] + others + cross);
      integral += density * none_nearer(law, std::span(weights).subspan(top), a, s);
      norm += density;
    }
    sum += integral / norm;
  }
  return sum / static_cast<double>(top);
}

struct Estimate {
  double mean;
  double error;
};

/// N_s/N over draws of the selected vectors, the non-selected integrated out.
Estimate simulate(const CoordinateLaw& law, const std::vector<double>& weights, std::size_t top, int trials) {
  std::mt19937_64 random(31);
  const std::size_t dim = law.dim();
  double sum = 0.0;
  double squares = 0.0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto row = headroom::theory_test::with_vectors(
        random, {weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(top)}, dim, true);
    const std::vector<double> context = weighted_sum(row.view());
    double fraction = 0.0;
    for (std::size_t i = 0; i < top; ++i) {
      const double along = headroom::theory::dot<double>(context, row.view().vectors.row(i));
      const double a = weights[i] * weights[i] - 2.0 * weights[i] * along;
      fraction += none_nearer(law, std::span(weights).subspan(top), a, headroom::theory::norm<double>(context));
    }
    fraction /= static_cast<double>(top);
    sum += fraction;
    squares += fraction * fraction;
  }
  const double mean = sum / trials;
  return {mean, std::sqrt((squares / trials - mean * mean) / trials)};
}

}  // namespace

TEST_CASE("the resolution law is its formula to the tolerance asked for") {
  std::mt19937_64 random(32);
  for (const std::size_t dim : {2U, 3U, 4U, 16U, 192U}) {
    const ResolutionLaw fine(dim);
    const ResolutionLaw coarse(dim, {5e-3, false});
    for (const double sigma : {0.0, 0.5, 1.0, 2.0, 5.0}) {
      const std::vector<double> weights = decreasing(random_weights(random, 60, sigma));
      for (const std::size_t top : {2U, 3U, 8U}) {
        const double exact = law_by_formula(fine.coordinate(), weights, top);
        INFO("dim " << dim << " sigma " << sigma << " top " << top);
        // The formula's own midpoint rule is good to about 3e-4 where the integrand is a step.
        CHECK(std::abs(fine.separable(weights, top) - exact) < 4e-4);
        CHECK(std::abs(coarse.separable(weights, top) - exact) < 5e-3);
      }
    }
  }
}

TEST_CASE("tightening the tolerance moves the law by no more than the tolerance it had") {
  std::mt19937_64 random(33);
  for (const std::size_t dim : {2U, 5U, 64U, 4096U}) {
    const ResolutionLaw fine(dim, {1e-5, false});
    const ResolutionLaw usual(dim);
    const ResolutionLaw coarse(dim, {5e-3, false});
    for (const double sigma : {0.5, 1.0, 4.0, 20.0}) {
      const std::vector<double> weights = decreasing(random_weights(random, 1024, sigma));
      for (const std::size_t top : {2U, 16U, 256U}) {
        const double exact = fine.separable(weights, top);
        CHECK(std::abs(usual.separable(weights, top) - exact) < 1e-4);
        CHECK(std::abs(coarse.separable(weights, top) - exact) < 5e-3);
      }
    }
  }
}

TEST_CASE("three of eleven equal weights in four dimensions separate 0.344 by the law, 0.402 refined") {
  const std::vector<double> weights(11, 1.0 / 11);
  CHECK(ResolutionLaw(4).separable(weights, 3) == Approx(0.344).margin(5e-4));
  CHECK(ResolutionLaw(4, {1e-4, true}).separable(weights, 3) == Approx(0.402).margin(5e-4));
}

TEST_CASE("the law is within five standard errors of simulation for N = 2, refined for N = 3, where unrefined is not") {
  std::mt19937_64 random(34);
  for (const std::size_t dim : {2U, 3U, 8U}) {
    const ResolutionLaw plain(dim);
    const ResolutionLaw refined(dim, {1e-4, true});
    for (const double sigma : {0.0, 1.0}) {
      const std::vector<double> weights = decreasing(random_weights(random, 16, sigma));
      const Estimate two = simulate(plain.coordinate(), weights, 2, 4000);
      CHECK(std::abs(plain.separable(weights, 2) - two.mean) < 5 * two.error + 2e-4);
      CHECK(refined.separable(weights, 2) == Approx(plain.separable(weights, 2)).margin(1e-4));
      const Estimate three = simulate(plain.coordinate(), weights, 3, 4000);
      CHECK(std::abs(refined.separable(weights, 3) - three.mean) < 5 * three.error + 2e-4);
      if (sigma == 0.0) CHECK(std::abs(plain.separable(weights, 3) - three.mean) > 5 * three.error);
    }
  }
}

TEST_CASE("refined, the law is within 0.01 of simulation for N = 8, where unrefined is off by up to 0.04") {
  std::mt19937_64 random(35);
  double worst_plain = 0.0;
  for (const std::size_t dim : {2U, 3U, 4U}) {
    const ResolutionLaw plain(dim);
    const ResolutionLaw refined(dim, {1e-4, true});
    for (const double sigma : {0.0, 1.0}) {
      const std::vector<double> weights = decreasing(random_weights(random, 32, sigma));
      const Estimate simulated = simulate(plain.coordinate(), weights, 8, 4000);
      CHECK(std::abs(refined.separable(weights, 8) - simulated.mean) < 0.01 + 3 * simulated.error);
      worst_plain = std::max(worst_plain, std::abs(plain.separable(weights, 8) - simulated.mean));
    }
  }
  CHECK(worst_plain > 0.012);
}

TEST_CASE("the refined law settles to its tolerance") {
  std::mt19937_64 random(37);
  for (const std::size_t dim : {2U, 4U, 32U}) {
    const ResolutionLaw usual(dim, {1e-4, true});
    const ResolutionLaw coarse(dim, {1e-3, true});
    for (const double sigma : {0.0, 1.0, 3.0}) {
      const std::vector<double> weights = decreasing(random_weights(random, 64, sigma));
      for (const std::size_t top : {3U, 8U}) {
        CHECK(std::abs(coarse.separable(weights, top) - usual.separable(weights, top)) < 1e-3);
      }
    }
  }
}

TEST_CASE("one selected token separates, weightless ones do not") {
  const ResolutionLaw law(8);
  CHECK(law.separable(std::vector<double>{0.5, 0.5}, 1) == 1.0);
  CHECK(law.separable(std::vector<double>{1.0, 0.0, 0.0}, 1) == 1.0);
  CHECK(law.separable(std::vector<double>{0.0, 0.0, 0.0}, 2) == 0.0);
  // One-hot with three selected: the token itself always, the two without weight never.
  CHECK(law.separable(std::vector<double>{1.0, 0.0, 0.0, 0.0}, 3) == Approx(1.0 / 3).epsilon(1e-12));
}

TEST_CASE("among non-selected tokens of weight 0 a token separates when A_i(u) < 0") {
  // Two equal selected weights: A < 0 for u > −1/2.
  for (const std::size_t dim : {2U, 3U, 50U, 4096U}) {
    const ResolutionLaw law(dim);
    const double expected = 1.0 - law.coordinate().cdf(-0.5);
    CHECK(law.separable(std::vector<double>{0.5, 0.5, 0.0, 0.0}, 2) == Approx(expected).margin(1e-4));
    CHECK(law.separable(std::vector<double>{0.5, 0.5, 1e-300, 1e-300}, 2) == Approx(expected).margin(1e-4));
    CHECK(law.separable(std::vector<double>{0.5, 0.5, 1e-9, 1e-9}, 2) == Approx(expected).margin(1e-4));
  }
}

TEST_CASE("the law does not depend on the scale of the weights, down to denormals") {
  std::mt19937_64 random(36);
  for (const bool refined : {false, true}) {
    const ResolutionLaw law(16, {1e-4, refined});
    const std::vector<double> weights = decreasing(random_weights(random, 40, 1.0));
    for (const double scale : {0x1p-300, 0x1p-900, 0x1p60}) {
      std::vector<double> scaled = weights;
      for (double& weight : scaled) weight *= scale;
      CHECK(law.separable(scaled, 5) == law.separable(weights, 5));
    }
    const std::vector<double> denormal = {1e-310, 1e-310, 1e-310, 1e-310};
    CHECK(law.separable(denormal, 3) == Approx(law.separable(std::vector<double>(4, 0.25), 3)).margin(1e-4));
  }
}

TEST_CASE("the law is a probability for every N of awkward rows") {
  for (const bool refined : {false, true}) {
    for (const std::size_t dim : {2U, 3U, 4096U}) {
      const ResolutionLaw law(dim, {5e-3, refined});
      for (const auto& row : headroom::theory_test::rows_to_try(12, 2)) {
        const std::vector<double> weights = decreasing(row.weights);
        for (std::size_t top = 1; top < 12; ++top) {
          const double value = law.separable(weights, top);
          CHECK(value >= 0.0);
          CHECK(value <= 1.0);
        }
      }
    }
  }
}

TEST_CASE("more dimensions separate more of equal weights, more tokens separate fewer") {
  double previous = 0.0;
  for (const std::size_t dim : {2U, 4U, 16U, 64U, 256U}) {
    const double value = ResolutionLaw(dim).separable(std::vector<double>(64, 1.0 / 64), 8);
    CHECK(value > previous);
    previous = value;
  }
  const ResolutionLaw law(64);
  previous = 1.0;
  for (const std::size_t length : {9U, 32U, 256U, 4096U}) {
    const double value = law.separable(std::vector<double>(length, 1.0 / static_cast<double>(length)), 8);
    CHECK(value < previous);
    previous = value;
  }
}
