#include "verify/cell_law.hpp"

#include <atomic>
#include <cmath>
#include <stdexcept>

#include "catch.hpp"
#include "core/error.hpp"
#include "verify/cell_run.hpp"

using namespace headroom;
using namespace headroom::verify;

namespace {

CellLaw law_of_gaussian(std::size_t draws) {
  CellLaw::Options options;
  options.draws = draws;
  return CellLaw(options);
}

}  // namespace

TEST_CASE("the law over draws of the weights is what simulation finds, exactly for N up to 3") {
  CellParameters p;
  p.length = 40;
  p.dim = 6;
  p.tops = {1, 2, 3};
  p.sampler = "projected";
  p.quantities = {Quantity::separable};
  const Cell cell(p);
  CellMeans simulated(cell);
  simulated.run(cell, 6, 40000);
  const CellLaw law = law_of_gaussian(600);
  for (std::size_t request = 0; request < 3; ++request) {
    const Moments predicted = law.separable(40, 6, p.tops[request]);
    const Moments& found = simulated.of(cell, request, Quantity::separable);
    const double error = std::hypot(predicted.standard_error(), found.standard_error()) + 1e-4;
    CAPTURE(p.tops[request], predicted.mean, found.mean);
    CHECK(std::abs(predicted.mean - found.mean) < 4 * error);
  }
}

TEST_CASE("weights without chance leave no standard error") {
  CellLaw::Options options;
  options.logits = "zipf:s=0.5";
  options.draws = 5;
  CHECK(CellLaw(options).separable(64, 8, 4).standard_error() < 1e-6);
}

TEST_CASE("each inverse of the law is where the fraction is first crossed") {
  const CellLaw law = law_of_gaussian(12);
  const auto at = [&](std::size_t length, std::size_t dim, std::size_t top) {
    return law.separable(length, dim, top).mean;
  };
  const auto top = law.largest_top(100, 24, 0.6);
  REQUIRE(top);
  CHECK_FALSE(top->at_limit);
  CHECK(top->separable.mean == at(100, 24, top->value));
  CHECK(at(100, 24, top->value) >= 0.6);
  CHECK(at(100, 24, top->value + 1) < 0.6);

  const auto dim = law.smallest_dim(100, 5, 0.6);
  REQUIRE(dim);
  CHECK(at(100, dim->value, 5) >= 0.6);
  CHECK(at(100, dim->value - 1, 5) < 0.6);

  CellLaw::Options flat;
  flat.logits = "gaussian:sigma=0";
  flat.draws = 1;
  const CellLaw equal(flat);
  const auto length = equal.largest_length(20, 3, 0.5);
  REQUIRE(length);
  CHECK(equal.separable(length->value, 20, 3).mean >= 0.5);
  CHECK(equal.separable(length->value + 1, 20, 3).mean < 0.5);
}

TEST_CASE("what is thrown after a draw ends the law, and every draw is told") {
  std::atomic<std::size_t> drawn = 0;
  CellLaw::Options options;
  options.draws = 30;
  const CellLaw told(options, nullptr, [&] { ++drawn; });
  static_cast<void>(told.separable(20, 8, 2));
  static_cast<void>(told.separable(20, 8, 3));
  CHECK(drawn == 60);
  const CellLaw stopped(options, nullptr, [] { throw std::runtime_error("enough"); });
  CHECK_THROWS_WITH(static_cast<void>(stopped.largest_top(20, 8, 0.5)), "enough");
}

TEST_CASE("an inverse without an answer says so, and one at its limit too") {
  const CellLaw law = law_of_gaussian(4);
  CHECK_FALSE(law.largest_length(2, 30, 0.99));
  const auto all = law.largest_top(6, 64, 0.01);
  REQUIRE(all);
  CHECK(all->value == 5);
  CHECK(all->at_limit);
  CHECK(law.smallest_dim(20, 1, 1.0)->value == 2);
  CHECK_THROWS_AS(static_cast<void>(law.largest_top(20, 8, 0.0)), Error);
}
