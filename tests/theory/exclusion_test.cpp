#include "theory/exclusion.hpp"

#include <vector>

#include "catch.hpp"

using headroom::theory::excluded_sums;

TEST_CASE("a dominating element leaves the sums over the others untouched") {
  const std::vector<double> elements = {1.0, 1e-20, 3e-20, 2e-20};
  const auto sums = excluded_sums<double>(elements);
  CHECK(sums.first[0] == Approx(6e-20).epsilon(1e-15));
  CHECK(sums.second[0] == Approx(11e-40).epsilon(1e-15).margin(0));
  CHECK(sums.second[3] == Approx(4e-20).epsilon(1e-15));
}

TEST_CASE("one element alone has exactly zero sums") {
  const std::vector<double> one = {0.3};
  CHECK(excluded_sums<double>(one).first[0] == 0.0);
  CHECK(excluded_sums<double>(one).second[0] == 0.0);
  const std::vector<double> two = {0.3, 0.4};
  CHECK(excluded_sums<double>(two).first[0] == 0.4);
  CHECK(excluded_sums<double>(two).second[0] == 0.0);
}
