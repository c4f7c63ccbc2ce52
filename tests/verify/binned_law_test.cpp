#include "verify/binned_law.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "catch.hpp"
#include "theory/resolution_law.hpp"

using namespace headroom;
using namespace headroom::verify;

namespace {

const std::vector<std::size_t> tops = {1, 2, 3, 8, 20, 64};

// Softmax weights of logits of this spread, decreasing.
std::vector<double> random_row(std::size_t size, double spread, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  std::vector<double> weights(size);
  double sum = 0;
  for (double& w : weights) sum += w = std::exp(spread * normal(engine));
  for (double& w : weights) w /= sum;
  std::sort(weights.begin(), weights.end(), std::greater<>());
  return weights;
}

// The largest error of a mean over 64 rows, and of a row, over all N.
struct Errors {
  double mean = 0;
  double row = 0;
};
Errors errors_of(std::size_t dim, double spread, std::size_t size) {
  const BinnedLaw binned(dim);
  const theory::ResolutionLaw exact(dim);
  BinnedLaw::Workspace workspace;
  std::mt19937_64 engine(7);
  constexpr int rows = 64;
  std::vector<double> difference(tops.size(), 0.0);
  std::vector<double> out(tops.size());
  Errors errors;
  for (int r = 0; r < rows; ++r) {
    const std::vector<double> row = random_row(size, spread, engine);
    binned.separable(row, tops, workspace, out);
    for (std::size_t t = 0; t < tops.size(); ++t) {
      const double error = out[t] - exact.separable(row, tops[t]);
      errors.row = std::max(errors.row, std::abs(error));
      difference[t] += error / rows;
    }
  }
  for (double d : difference) errors.mean = std::max(errors.mean, std::abs(d));
  return errors;
}

}  // namespace

TEST_CASE("binning moves the law's mean over rows by less than 0.005") {
  for (std::size_t dim : {16, 32, 192, 768}) {
    for (double spread : {0.02, 0.1, 0.3, 1.0, 3.0, 10.0}) {
      for (std::size_t size : {80, 500}) {
        const Errors errors = errors_of(dim, spread, size);
        INFO("d " << dim << " spread " << spread << " L " << size << ": mean " << errors.mean << " row " << errors.row);
        CHECK(errors.mean <= 0.005);
        CHECK(errors.row <= 0.1);
      }
    }
  }
}

TEST_CASE("one polynomial holds the coordinate law from 16 dimensions on") {
  for (std::size_t dim : {16, 17, 31, 32, 64, 192, 768, 4096}) CHECK(LawFit(dim).error <= 0.015);
  // Fewer dimensions have too steep an end for it.
  CHECK(LawFit(8).error > 0.1);
}

TEST_CASE("the binned law keeps the exact cases of the law") {
  const BinnedLaw law(64);
  BinnedLaw::Workspace workspace;
  const auto at = [&](std::vector<double> row, std::size_t top) {
    double out = -1;
    law.separable(row, std::vector<std::size_t>{top}, workspace, {&out, 1});
    return out;
  };
  CHECK(at({0.5, 0.3, 0.2}, 1) == 1.0);
  CHECK(at({0.0, 0.0, 0.0}, 2) == 0.0);
  // A selected token without weight never separates.
  CHECK(at({1.0, 0.0, 0.0, 0.0}, 2) == Approx(0.5).margin(0.01));
  // Scale-invariant.
  CHECK(at({0.4, 0.3, 0.2, 0.1}, 2) == Approx(at({4e8, 3e8, 2e8, 1e8}, 2)).epsilon(1e-6));
}
