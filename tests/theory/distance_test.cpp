#include "theory/distance.hpp"

#include <vector>

#include "catch.hpp"
#include "tests/theory/rows.hpp"

using namespace headroom::theory;
using headroom::theory_test::rows_to_try;
using headroom::theory_test::Wide;
using headroom::theory_test::widen;

TEST_CASE("the sharp distance bounds enclose the distance and never exceed the printed one") {
  for (const std::size_t length : {2U, 3U, 20U}) {
    for (const auto& row : rows_to_try(length, 5)) {
      for (std::size_t top = 1; top <= length; ++top) {
        const Selection selection = select_top<double>(row.weights, top);
        const double observed = distance(row.view(), selection);
        const double printed = distance_upper_printed(row.view(), selection);
        const auto sharp = distance_bounds_sharp(row.view(), selection);
        const double slack = 1e-12 * (1.0 + printed);
        CHECK(sharp.lower >= 0.0);
        CHECK(observed >= sharp.lower - slack);
        CHECK(observed <= sharp.upper + slack);
        CHECK(sharp.upper <= printed + slack);
      }
    }
  }
}

TEST_CASE("equal vectors make both sharp distance bounds the distance itself") {
  headroom::theory_test::Row<double> row{{0.5, 0.3, 0.2}, {3, 4, 3, 4, 3, 4}, 2};
  const Selection selection = select_top<double>(row.weights, 1);
  const auto sharp = distance_bounds_sharp(row.view(), selection);
  CHECK(distance(row.view(), selection) == Approx(5.0 * (0.2 + 0.3)));
  CHECK(sharp.lower == Approx(2.5));
  CHECK(sharp.upper == Approx(2.5));
}

TEST_CASE("with every token selected, or weights that are all zero, distances and bounds are 0") {
  for (const auto& row : rows_to_try(6, 3)) {
    const Selection all = select_top<double>(row.weights, 6);
    CHECK(distance(row.view(), all) == 0.0);
    CHECK(distance_upper_printed(row.view(), all) == 0.0);
    CHECK(distance_bounds_sharp(row.view(), all).upper == 0.0);
  }
  headroom::theory_test::Row<double> zero{{0.0, 0.0, 0.0}, {1, 0, 0, 1, 1, 1}, 2};
  const Selection selection = select_top<double>(zero.weights, 1);
  CHECK(distance_bounds_sharp(zero.view(), selection).upper == 0.0);
  CHECK(distance(zero.view(), selection) == 0.0);
}

TEST_CASE("distances and their bounds agree with 168-bit evaluation") {
  for (const auto& row : rows_to_try(12, 4)) {
    const auto wide = widen(row);
    const Selection selection = select_top<double>(row.weights, 4);
    const auto near = [](double a, const Wide& b) {
      return a == Approx(static_cast<double>(b)).epsilon(1e-12).margin(1e-15);
    };
    CHECK(near(distance(row.view(), selection), distance(wide.view(), selection)));
    CHECK(near(distance_upper_printed(row.view(), selection), distance_upper_printed(wide.view(), selection)));
    CHECK(
        near(distance_bounds_sharp(row.view(), selection).upper, distance_bounds_sharp(wide.view(), selection).upper));
  }
}
