#include "theory/frontier.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "catch.hpp"
#include "theory/jacobian_norm.hpp"
#include "theory/vanishing.hpp"

using namespace headroom::theory;  // NOLINT(google-build-using-namespace)

namespace {

Eigen::MatrixXd dense(const TwoLevelJacobian& j, int n) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Constant(n, n, j.cross);
  matrix.diagonal().setConstant(j.other_own);
  matrix.row(0).setConstant(j.from_other);
  matrix.col(0).setConstant(j.to_other);
  matrix(0, 0) = j.own;
  return matrix;
}

}  // namespace

TEST_CASE("two numbers and a factor hold the norm of a two-level Jacobian of any size") {
  const std::vector<TwoLevelJacobian> cases = {
      {1, 0, 0, 0, 0}, {0, 0, 0, 1, 0}, {0.2, -0.7, 0.3, 0.5, -0.1}, {-1, 2, 2, -3, 1}, {0.1, 0, -0.4, 2, 2}};
  for (const TwoLevelJacobian& jacobian : cases) {
    for (const int n : {2, 3, 7, 20}) {
      const double norm = dense(jacobian, n).jacobiSvd().singularValues()(0);
      CHECK_THAT(two_level_norm(jacobian, n), Catch::Matchers::WithinRel(norm, 1e-12));
    }
  }
}

TEST_CASE("the frontier of softmax is the margin and the norm that other sections give") {
  for (const std::size_t n : {std::size_t{2}, std::size_t{3}, std::size_t{1000}}) {
    for (const double p : {1e-4, 0.3, 0.5, 0.999}) {
      const FrontierPoint point = softmax_frontier(p, static_cast<double>(n));
      CHECK_THAT(point.margin, Catch::Matchers::WithinRel(margin_for_weight(p, n, 1.0), 1e-12));
      CHECK_THAT(point.jacobian_norm, Catch::Matchers::WithinRel(frontier_jacobian_norm(p, n), 1e-12));
    }
  }
}

TEST_CASE("the frontier of entmax joins softmax at one end and is sparsemax at the other") {
  for (const double p : {0.1, 0.5, 0.99}) {
    const FrontierPoint softmax = softmax_frontier(p, 64);
    const FrontierPoint near = entmax_frontier(p, 64, 1 + 1e-9);
    CHECK_THAT(near.margin, Catch::Matchers::WithinRel(softmax.margin, 1e-7));
    CHECK_THAT(near.jacobian_norm, Catch::Matchers::WithinRel(softmax.jacobian_norm, 1e-7));
    const FrontierPoint sparsemax = entmax_frontier(p, 64, 2);
    CHECK_THAT(sparsemax.margin, Catch::Matchers::WithinRel((64 * p - 1) / 63, 1e-12));
    CHECK_THAT(sparsemax.jacobian_norm, Catch::Matchers::WithinRel(1.0, 1e-12));
  }
  CHECK(entmax_frontier(1, 64, 1.5).margin == 2);
}

TEST_CASE("the margin of entmax stays bounded where softmax's grows with the length") {
  CHECK(softmax_frontier(0.99, 1e12).margin > 30);
  for (const double alpha : {1.1, 1.5, 2.0, 10.0}) CHECK(entmax_frontier(0.99, 1e12, alpha).margin < 1 / (alpha - 1));
}

TEST_CASE("the margin of self-adjusted softmax solves its equation, for weights beyond 1 too") {
  for (const double n : {2.0, 100.0, 1e9}) {
    for (const double p : {1e-6, 0.5, 1.0, 4.0, 800.0}) {
      const double z = self_adjust_frontier(p, n).margin;
      CHECK_THAT(z / (1 + (n - 1) * std::exp(-z)), Catch::Matchers::WithinRel(p, 1e-9));
    }
  }
}
