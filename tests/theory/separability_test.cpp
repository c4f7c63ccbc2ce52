#include "theory/separability.hpp"

#include <vector>

#include "catch.hpp"
#include "tests/theory/rows.hpp"

using namespace headroom::theory;
using headroom::theory_test::rows_to_try;

TEST_CASE("comparing without the common part of the norm counts what comparing distances counts") {
  for (const auto& row : rows_to_try(15, 4)) {
    const auto wide = headroom::theory_test::widen(row);
    for (const std::size_t top : {1U, 3U, 14U}) {
      const Selection selection = select_top<double>(row.weights, top);
      const double fraction = separable_fraction(row.view(), selection);
      CHECK(fraction == Approx(static_cast<double>(separable_fraction(wide.view(), selection))).margin(1e-12));
      // Weights of 1e-300 drown in ‖s‖ even in 168 bits.
      if (*std::max_element(row.weights.begin(), row.weights.end()) == 1.0) continue;
      const auto exact = separable_fraction_within(wide.view(), selection, separation_radius(wide.view(), selection));
      CHECK(fraction == Approx(static_cast<double>(exact)).margin(1e-12));
    }
  }
}

TEST_CASE("one selected token with a positive weight is separable, for it is the context vector") {
  std::mt19937_64 random(2);
  const auto row = headroom::theory_test::with_vectors(random, {0.4, 0.35, 0.25}, 3, true);
  CHECK(separable_fraction(row.view(), select_top<double>(row.weights, 1)) == 1.0);
}

TEST_CASE("exact ties do not separate") {
  const headroom::theory_test::Row<double> row{{0.25, 0.25, 0.25, 0.25}, {1, 0, 1, 0, 1, 0, 1, 0}, 2};
  CHECK(separable_fraction(row.view(), select_top<double>(row.weights, 2)) == 0.0);
  const headroom::theory_test::Row<double> zero{{0.0, 0.0}, {1, 0, 0, 1}, 2};
  CHECK(separable_fraction(zero.view(), select_top<double>(zero.weights, 1)) == 0.0);
  CHECK(separation_radius(zero.view(), select_top<double>(zero.weights, 1)) == 0.0);
}
