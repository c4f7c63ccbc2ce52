#include "sim/jacobian.hpp"

#include <Eigen/Core>
#include <Eigen/SVD>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "exact_normalizers.hpp"
#include "sim/normalizer.hpp"
#include "sim/random.hpp"

using headroom::sim::Jacobian;
using headroom::sim::make_normalizer;
using headroom::sim::Stream;
using headroom::sim::test::exact_weights;
using headroom::sim::test::Real;

namespace {

struct Case {
  std::string spec;
  std::string id;
  std::vector<double> parameters;
};

const std::vector<Case> cases = {
    {"softmax", "softmax", {}},
    {"ssmax:s=0.43", "ssmax", {0.43, 0}},
    {"ssmax:s=-1", "ssmax", {-1, 0}},
    {"softmax1", "softmax1", {}},
    {"sasoftmax", "sasoftmax", {}},
    {"sasoftmax-norm", "sasoftmax-norm", {}},
    {"sparsemax", "sparsemax", {}},
    {"entmax", "entmax", {1.5}},
    {"entmax:alpha=1.1", "entmax", {1.1}},
    {"entmax:alpha=3", "entmax", {3}},
    {"asentmax", "asentmax", {1, 0.5, 1, 1.5}},
    {"sigmoid", "sigmoid", {}},
    {"sigmoid:b=-2", "sigmoid", {-2}},
    {"topk:k=3", "topk", {3}},
    {"logn", "logn", {0.1603}},
    {"power", "power:f=exp", {}},
    {"power:f=softplus", "power:f=softplus", {}},
    {"power:f=square", "power:f=square", {}},
    {"power:f=cosh", "power:f=cosh", {}},
};

std::vector<double> gaussian_row(std::size_t n, double sigma, std::uint64_t seed) {
  std::vector<double> row(n);
  Stream(seed, 3, n).normals(row);
  for (double& x : row) x *= sigma;
  return row;
}

Eigen::MatrixXd dense(const Jacobian& j) {
  const auto n = static_cast<Eigen::Index>(j.size());
  Eigen::MatrixXd matrix(n, n);
  std::vector<double> basis(j.size());
  for (std::size_t k = 0; k < j.size(); ++k) {
    basis[k] = 1;
    j.multiply(basis, {matrix.col(static_cast<Eigen::Index>(k)).data(), j.size()});
    basis[k] = 0;
  }
  return matrix;
}

double svd_norm(const Eigen::MatrixXd& matrix) { return matrix.jacobiSvd().singularValues()(0); }

}  // namespace

TEST_CASE("every Jacobian equals central differences of the exact weights") {
  const double h = 0x1p-32;
  for (const Case& c : cases) {
    for (const double temperature : {1.0, 0.4}) {
      const std::vector<double> logits = gaussian_row(6, 1, 31);
      const Eigen::MatrixXd j = dense(make_normalizer(c.spec)->jacobian(logits, temperature));
      for (std::size_t k = 0; k < logits.size(); ++k) {
        std::vector<double> up = logits;
        std::vector<double> down = logits;
        up[k] += h;
        down[k] -= h;
        const std::vector<Real> above = exact_weights(c.id, c.parameters, up, temperature);
        const std::vector<Real> below = exact_weights(c.id, c.parameters, down, temperature);
        for (std::size_t i = 0; i < logits.size(); ++i) {
          const auto difference = static_cast<double>((above[i] - below[i]) / (Real(up[k]) - Real(down[k])));
          CAPTURE(c.spec, temperature, i, k);
          CHECK(j(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) ==
                Approx(difference).margin(1e-13).epsilon(1e-11));
        }
      }
    }
  }
}

TEST_CASE("every norm equals the dense SVD's, and the transposed product is the transpose") {
  for (const Case& c : cases) {
    const auto normalizer = make_normalizer(c.spec);
    for (const std::size_t n : {1u, 2u, 3u, 10u, 60u}) {
      for (const double sigma : {0.0, 0.1, 1.0, 10.0}) {
        const std::vector<double> logits = gaussian_row(n, sigma, 32);
        const Jacobian j = normalizer->jacobian(logits, 0.7);
        const Eigen::MatrixXd matrix = dense(j);
        CAPTURE(c.spec, n, sigma);
        CHECK(j.spectral_norm() == Approx(svd_norm(matrix)).epsilon(1e-10).margin(1e-15));
        std::vector<double> u = gaussian_row(n, 1, 33);
        const Eigen::VectorXd expected = matrix.transpose() * Eigen::Map<Eigen::VectorXd>(u.data(), matrix.rows());
        j.multiply_transposed(u, u);  // in place
        for (std::size_t i = 0; i < n; ++i) {
          CHECK(u[i] == Approx(expected(static_cast<Eigen::Index>(i))).margin(1e-12 * (1 + matrix.norm())));
        }
      }
    }
  }
}

TEST_CASE("norms of long rows agree with the dense SVD") {
  for (const char* spec : {"softmax", "entmax", "sasoftmax", "sasoftmax-norm", "power:f=square"}) {
    const Jacobian j = make_normalizer(spec)->jacobian(gaussian_row(200, 2, 34), 1);
    CAPTURE(spec);
    CHECK(j.spectral_norm() == Approx(svd_norm(dense(j))).epsilon(1e-10));
  }
}

TEST_CASE("one weight far ahead keeps the relative accuracy of the norm") {
  // w = (1−2ε, ε, ε): norm a(1−a)·L/(L−1) = 3ε(1−2ε), where the plain secular sum would cancel to nothing.
  for (const double margin : {5.0, 40.0, 200.0, 600.0}) {
    const double epsilon = 1 / (std::exp(margin) + 2);
    const Jacobian j = make_normalizer("softmax")->jacobian(std::vector<double>{margin, 0, 0}, 1);
    CHECK(j.spectral_norm() == Approx(3 * epsilon * (1 - 2 * epsilon)).epsilon(1e-13));
    std::vector<double> out(3);
    j.multiply(std::vector<double>{1, 0, 0}, out);
    CHECK(out[0] == Approx(2 * epsilon * (1 - 2 * epsilon)).epsilon(1e-13));
  }
}

TEST_CASE("two equal logits attain 1/(2T)") {
  CHECK(make_normalizer("softmax")->jacobian(std::vector<double>{1, 1}, 0.25).spectral_norm() ==
        Approx(2).epsilon(1e-15));
}

TEST_CASE("self-adjusted weights of logits almost equal keep the digits of their Jacobian") {
  // One logit above 0 and one below: the weights are (p, 0), with softmax's first row as their Jacobian.
  const double temperature = 20;
  const std::vector<double> logits = {0x1p-12, -0x1p-13};
  const double p = 1 / (1 + std::exp((logits[1] - logits[0]) / temperature));
  const Jacobian j = make_normalizer("sasoftmax-norm")->jacobian(logits, temperature);
  CHECK(j.spectral_norm() == Approx(std::sqrt(2.0) * p * (1 - p) / temperature).epsilon(1e-14));
}

TEST_CASE("rows and columns of masked tokens are zero") {
  const double masked = -std::numeric_limits<double>::infinity();
  for (const Case& c : cases) {
    const auto normalizer = make_normalizer(c.spec);
    const Jacobian whole = normalizer->jacobian(std::vector<double>{masked, 0.4, masked, -1, 0.1}, 1);
    const Jacobian deleted = normalizer->jacobian(std::vector<double>{0.4, -1, 0.1}, 1);
    const Eigen::MatrixXd matrix = dense(whole);
    CAPTURE(c.spec);
    CHECK(matrix.row(0).norm() + matrix.row(2).norm() + matrix.col(0).norm() + matrix.col(2).norm() == 0);
    CHECK(matrix.norm() == Approx(dense(deleted).norm()).epsilon(1e-14));
    CHECK(whole.spectral_norm() == Approx(deleted.spectral_norm()).epsilon(1e-12));
  }
}

TEST_CASE("the entmax norm grows without bound beyond alpha 2 and stays finite") {
  // A second weight p → 0 has w = p^{2−α} → ∞.
  const auto norm = [](double logit) {
    return make_normalizer("entmax:alpha=4")->jacobian(std::vector<double>{0, logit}, 1).spectral_norm();
  };
  CHECK(norm(-0.3) > 1);
  CHECK(std::isfinite(norm(-1.0 / 3)));
  CHECK(std::isfinite(
      make_normalizer("entmax:alpha=64")->jacobian(std::vector<double>{0, -1.0 / 64, -1.0 / 63.5}, 1).spectral_norm()));
}
