#include "sim/low_rank_norm.hpp"

#include <Eigen/Core>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.hpp"
#include "sim/normalizer.hpp"
#include "sim/random.hpp"
#include "sim/secular.hpp"

using headroom::sim::low_rank_norm;
using headroom::sim::make_normalizer;
using headroom::sim::OuterProduct;
using headroom::sim::secular_norm;
using headroom::sim::Stream;

namespace {

double dense_norm(const std::vector<double>& d, const std::vector<OuterProduct>& products) {
  const auto n = static_cast<Eigen::Index>(d.size());
  Eigen::MatrixXd j = Eigen::Map<const Eigen::VectorXd>(d.data(), n).asDiagonal();
  for (const OuterProduct& p : products) {
    j -= Eigen::Map<const Eigen::VectorXd>(p.left.data(), n) *
         Eigen::Map<const Eigen::VectorXd>(p.right.data(), n).transpose();
  }
  return j.jacobiSvd().singularValues()(0);
}

/// Normals, with ties, zeros and sizes far apart among them.
std::vector<double> column(Stream& stream, std::size_t n, int kind) {
  std::vector<double> x(n);
  stream.normals(x);
  for (double& v : x) {
    if (kind == 1) v = std::round(v);
    if (kind == 2) v = std::exp(8 * v);
    if (kind == 3) v *= 1e-9;
    if (kind == 4) v = 0;
  }
  return x;
}

}  // namespace

TEST_CASE("the norm of a diagonal less up to three outer products is the dense SVD's") {
  Stream stream(5, 1, 0);
  for (const std::size_t n : {1, 2, 3, 4, 9, 40}) {
    for (const std::size_t r : {1, 2, 3}) {
      for (int kind = 0; kind < 5 * 5 * 5; ++kind) {
        const std::vector<double> d = column(stream, n, kind % 5);
        std::vector<OuterProduct> products;
        double size = 0;
        for (const double x : d) size = std::max(size, std::abs(x));
        for (std::size_t k = 0; k < r; ++k) {
          products.push_back({column(stream, n, kind / 5 % 5), column(stream, n, kind / 25)});
          size += std::sqrt(n) * 8 *
                  Eigen::Map<Eigen::VectorXd>(products[k].left.data(), static_cast<Eigen::Index>(n)).norm() *
                  Eigen::Map<Eigen::VectorXd>(products[k].right.data(), static_cast<Eigen::Index>(n)).norm();
        }
        CAPTURE(n, r, kind);
        const double expected = dense_norm(d, products);
        const bool at_pole =
            std::any_of(d.begin(), d.end(), [&](double x) { return std::abs(std::abs(x) - expected) <= 1e-7 * size; });
        REQUIRE(std::abs(low_rank_norm(d, products) - expected) <= (at_pole ? 1e-8 : 1e-14) * size);
      }
    }
  }
}

TEST_CASE("softmax's Jacobian as a diagonal less an outer product has the norm of the secular equation") {
  for (const double sigma : {0.0, 0.3, 2.0, 10.0, 60.0}) {
    std::vector<double> p(1500);
    Stream(6, 1, 0).normals(p);
    for (double& l : p) l *= sigma;
    make_normalizer("softmax")->weights(p, 1, p);
    CAPTURE(sigma);
    CHECK(std::abs(low_rank_norm(p, std::vector<OuterProduct>{{p, p}}) - secular_norm(p, 1, 0)) <= 2e-15);
  }
}
