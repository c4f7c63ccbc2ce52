#include "theory/jacobian_norm.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "catch.hpp"
#include "tests/theory/rows.hpp"
#include "theory/secular_equation.hpp"

using namespace headroom::theory;
using headroom::theory_test::random_weights;
using headroom::theory_test::Wide;

namespace {

Eigen::MatrixXd jacobian(const std::vector<double>& weights) {
  const Eigen::Map<const Eigen::VectorXd> alpha(weights.data(), static_cast<Eigen::Index>(weights.size()));
  return Eigen::MatrixXd(alpha.asDiagonal()) - alpha * alpha.transpose();
}

double dense_norm(const Eigen::MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .cwiseAbs()
      .maxCoeff();
}

std::vector<std::vector<double>> weights_to_try() {
  std::mt19937_64 random(11);
  std::vector<std::vector<double>> rows;
  for (const std::size_t length : {2U, 3U, 9U, 64U, 300U}) {
    for (const double sigma : {0.0, 1e-9, 0.1, 1.0, 5.0, 50.0}) rows.push_back(random_weights(random, length, sigma));
    const auto count = static_cast<double>(length);
    std::vector<double> one_hot(length, 0.0);
    one_hot[length / 2] = 1.0;
    rows.push_back(one_hot);
    std::vector<double> nearly(length, 1e-14);
    nearly[0] = 1.0 - 1e-14 * (count - 1.0);
    rows.push_back(nearly);
    std::vector<double> pair(length, 0.1 / count);
    pair.front() = pair.back() = 0.4;
    rows.push_back(pair);
    pair.back() = std::nextafter(0.4, 1.0);
    rows.push_back(pair);
    pair.back() = 0.4 + 1e-9;
    rows.push_back(pair);
    std::vector<double> tiny(length, 1e-300);
    tiny.back() = 1.0;
    rows.push_back(tiny);
    std::vector<double> denormal(length, 5e-324);
    denormal[0] = 0.75;
    denormal[1] = 0.25;
    rows.push_back(denormal);
    std::vector<double> ahead(length, 0.5 / (count - 1.0));
    ahead[1] = 0.5;
    rows.push_back(ahead);
    std::vector<double> ladder(length);
    for (std::size_t i = 0; i < length; ++i)
      ladder[i] = std::ldexp(1.0, -1 - static_cast<int>(std::min(i, length - 2)));
    rows.push_back(ladder);
  }
  return rows;
}

}  // namespace

TEST_CASE("the Jacobian's norm equals the dense one up to 300 tokens, at ties, one-hot and uniform rows too") {
  for (const auto& weights : weights_to_try()) {
    const double dense = dense_norm(jacobian(weights));
    CHECK(std::abs(jacobian_norm(weights) - dense) <= 1e-12);
    CHECK(std::abs(projected_jacobian_norm(weights) - dense) <= 1e-12);
    CHECK(std::abs(jacobian_norm_by_bisection<double>(weights) - dense) <= 1e-12);
  }
}

TEST_CASE("the Jacobian's norm agrees with 168-bit bisection") {
  for (const auto& weights : weights_to_try()) {
    if (weights.size() > 64) continue;
    const std::vector<Wide> wide(weights.begin(), weights.end());
    CHECK(jacobian_norm(weights) ==
          Approx(static_cast<double>(jacobian_norm_by_bisection<Wide>(wide))).epsilon(1e-12).margin(1e-15));
  }
}

TEST_CASE("weights that do not sum to 1 have the norm of the larger of two extreme eigenvalues") {
  std::mt19937_64 random(12);
  for (const double scale : {1e-3, 0.5, 1.5, 3.0, 50.0}) {
    for (const std::size_t length : {1U, 2U, 5U, 40U}) {
      std::vector<double> weights = random_weights(random, length, 1.0);
      for (double& weight : weights) weight *= scale;
      const double dense = dense_norm(jacobian(weights));
      CHECK(jacobian_norm(weights) == Approx(dense).epsilon(1e-12));
      CHECK(jacobian_norm_by_bisection<double>(weights) == Approx(dense).epsilon(1e-10));
    }
  }
  const std::vector<double> sigmoid_like = {0.9, 0.0, 0.8, 0.9};
  CHECK(jacobian_norm(sigmoid_like) == Approx(dense_norm(jacobian(sigmoid_like))).epsilon(1e-12));
}

TEST_CASE("the projected form is the norm of diag(w) − wwᵀ/Σw at any scale") {
  std::mt19937_64 random(13);
  for (const double scale : {1e-300, 1e-80, 1.0, 7.0, 1e10}) {
    std::vector<double> weights = random_weights(random, 30, 1.0);
    const double dense = dense_norm(jacobian(weights));
    for (double& weight : weights) weight *= scale;
    CHECK(projected_jacobian_norm(weights) / scale == Approx(dense).epsilon(1e-12));
  }
  CHECK(projected_jacobian_norm(std::vector<double>{3.0}) == 0.0);
  CHECK(projected_jacobian_norm(std::vector<double>{0.0, 0.0}) == 0.0);
  CHECK(projected_jacobian_norm(std::vector<double>{1.0, 0.0}) == 0.0);
}

TEST_CASE("the projected form keeps relative accuracy for weights next to one-hot") {
  const std::vector<double> weights = {1.0, 3e-20, 1e-20};
  const std::vector<Wide> wide = {1 - Wide(3e-20) - Wide(1e-20), Wide(3e-20), Wide(1e-20)};
  CHECK(projected_jacobian_norm(weights) ==
        Approx(static_cast<double>(jacobian_norm_by_bisection<Wide>(wide))).epsilon(1e-13).margin(0));
}

TEST_CASE("a single token gives α(1−α), empty weight gives 0") {
  CHECK(jacobian_norm(std::vector<double>{0.25}) == Approx(0.1875));
  CHECK(jacobian_norm(std::vector<double>{1.0}) == 0.0);
  CHECK(jacobian_norm(std::vector<double>{3.0}) == Approx(6.0));
  CHECK(jacobian_norm(std::vector<double>{0.0, 0.0}) == 0.0);
}

TEST_CASE("the order of the weights does not change the norm beyond rounding") {
  std::mt19937_64 random(14);
  std::vector<double> weights = random_weights(random, 101, 2.0);
  const double norm = jacobian_norm(weights);
  std::shuffle(weights.begin(), weights.end(), random);
  CHECK(jacobian_norm(weights) == Approx(norm).epsilon(1e-14));
}

TEST_CASE("the top vector has length 1 and is stretched by exactly the norm") {
  for (const auto& weights : weights_to_try()) {
    std::vector<double> vector(weights.size());
    const double norm = jacobian_top_vector(weights, vector);
    CHECK(norm == jacobian_norm(weights));
    const Eigen::Map<const Eigen::VectorXd> v(vector.data(), static_cast<Eigen::Index>(vector.size()));
    CHECK(v.norm() == Approx(1.0).epsilon(1e-13));
    CHECK((jacobian(weights) * v).norm() == Approx(norm).epsilon(1e-9).margin(1e-13));
  }
  std::vector<double> heavy = {0.9, 0.8, 0.7};
  std::vector<double> vector(3);
  const double norm = jacobian_top_vector(heavy, vector);
  const Eigen::Map<const Eigen::VectorXd> v(vector.data(), 3);
  CHECK((jacobian(heavy) * v).norm() == Approx(norm).epsilon(1e-12));
}

TEST_CASE("the Frobenius norm equals the dense one and lies between the spectral norm and sqrt(L) times it") {
  for (const auto& weights : weights_to_try()) {
    const double frobenius = jacobian_frobenius_norm(weights);
    const double norm = jacobian_norm(weights);
    CHECK(frobenius == Approx(jacobian(weights).norm()).epsilon(1e-11).margin(1e-14));
    CHECK(frobenius >= norm * (1 - 1e-9) - 1e-15);
    CHECK(frobenius <= norm * std::sqrt(static_cast<double>(weights.size())) * (1 + 1e-9) + 1e-15);
  }
}

TEST_CASE("the frontier formula is the norm for one weight ahead of equal ones") {
  for (const std::size_t length : {2U, 3U, 10U, 200U}) {
    const auto count = static_cast<double>(length);
    for (const double excess : {0.0, 1e-3, 0.3, 0.9, 1.0}) {
      const double weight = 1.0 / count + excess * (1.0 - 1.0 / count);
      std::vector<double> weights(length, (1.0 - weight) / (count - 1.0));
      weights[0] = weight;
      CHECK(jacobian_norm(weights) == Approx(frontier_jacobian_norm(weight, length)).epsilon(1e-12).margin(1e-16));
    }
  }
}
