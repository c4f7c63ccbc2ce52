#include "theory/separability_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "catch.hpp"
#include "tests/theory/rows.hpp"
#include "theory/separability.hpp"

using namespace headroom::theory;
using headroom::theory_test::rows_to_try;
using headroom::theory_test::Wide;

namespace {

struct Extent {
  double largest_norm = 0.0;
  double separation = std::numeric_limits<double>::infinity();
};

Extent extent(const RowView<double>& row) {
  Extent result;
  for (std::size_t i = 0; i < row.size(); ++i) {
    result.largest_norm = std::max(result.largest_norm, norm<double>(row.vectors.row(i)));
    for (std::size_t j = 0; j < i; ++j) {
      result.separation =
          std::min(result.separation, norm_of_difference<double>(1.0, row.vectors.row(i), 1.0, row.vectors.row(j)));
    }
  }
  return result;
}

std::vector<double> at(const std::vector<double>& weights, const std::vector<std::size_t>& tokens) {
  std::vector<double> chosen;
  for (const std::size_t token : tokens) chosen.push_back(weights[token]);
  return chosen;
}

}  // namespace

TEST_CASE("no selected token lies farther from the context vector than its reach") {
  for (const auto& row : rows_to_try(12, 3)) {
    const auto [largest_norm, separation] = extent(row.view());
    for (const std::size_t top : {1U, 2U, 6U, 11U}) {
      const Selection selection = select_top<double>(row.weights, top);
      const auto reach = context_reach<double>(at(row.weights, selection.selected), largest_norm, separation);
      const std::vector<double> context = weighted_sum(row.view(), selection.selected);
      for (std::size_t k = 0; k < top; ++k) {
        const std::size_t i = selection.selected[k];
        CHECK(norm_of_difference<double>(1.0, context, row.weights[i], row.view().vectors.row(i)) <= reach[k] + 1e-12);
      }
    }
  }
}

TEST_CASE("both lower bounds stay below the observed fraction, whatever the radius") {
  for (const auto& row : rows_to_try(12, 3)) {
    const auto [largest_norm, separation] = extent(row.view());
    for (const std::size_t top : {1U, 2U, 6U}) {
      const Selection selection = select_top<double>(row.weights, top);
      const auto reach = context_reach<double>(at(row.weights, selection.selected), largest_norm, separation);
      for (const double radius : {1e-3, 0.1, separation_radius(row.view(), selection), 3.0}) {
        const double observed = separable_fraction_within(row.view(), selection, radius);
        CHECK(separable_lower_sharp<double>(reach, radius) <= observed);
        CHECK(separable_lower_printed<double>(reach, radius) <= observed + 1e-12);
      }
    }
  }
}

TEST_CASE("one selected token has reach exactly 0, certain once the radius is positive") {
  const std::vector<double> one = {0.3};
  const auto reach = context_reach<double>(one, 1.0, 0.1);
  CHECK(reach[0] == 0.0);
  CHECK(separable_lower_printed<double>(reach, 0.2) == 1.0);
  CHECK(separable_lower_sharp<double>(reach, 0.2) == 1.0);
  CHECK(separable_upper_printed<double>(reach, 0.2, 1.0) == 1.0);
  CHECK(separable_lower_printed<double>(reach, 0.0) == -std::numeric_limits<double>::infinity());
  CHECK(separable_lower_sharp<double>(reach, 0.0) == 0.0);
}

TEST_CASE("the cell that refutes the printed upper bound gives 0.691 and, at r = 0.1302, 0.695") {
  std::vector<double> selected(64, (1.0 - 192e-6) / 64);
  const auto reach = context_reach<double>(selected, 1.0, 0.0);
  CHECK(separable_upper_printed<double>(reach, 0.1302, 1.0) == Approx(0.695).margin(1e-3));
  CHECK(separable_upper_printed<double>(reach, 0.124, 1.0) == Approx(0.691).margin(1e-3));
}

TEST_CASE("Cantelli's bounds enclose the probability a million sphere sums would show") {
  // Three selected of weight 1/3 in the plane: ‖s−y_i‖ = (2/3)|cos(θ/2)|, θ uniform, so P(≤ r) = (2/π)·asin(3r/2).
  const std::vector<double> selected(3, 1.0 / 3);
  for (const double radius : {0.05, 0.2, 0.4, 0.47, 0.48, 0.6, 0.66}) {
    const auto bounds = separable_bounds_sharp<double>(selected, radius, 1.0, 2);
    const double exact = 2.0 / std::acos(-1.0) * std::asin(1.5 * radius);
    CHECK(bounds.lower <= exact);
    CHECK(bounds.upper >= exact);
  }
}

TEST_CASE("with two selected tokens Cantelli's bounds are the exact step") {
  const std::vector<double> selected = {0.6, 0.3};
  CHECK(separable_bounds_sharp<double>(selected, 0.2, 1.0, 4).upper == 0.0);
  CHECK(separable_bounds_sharp<double>(selected, 0.4, 1.0, 4).lower == 0.5);
  CHECK(separable_bounds_sharp<double>(selected, 0.4, 1.0, 4).upper == 0.5);
  CHECK(separable_bounds_sharp<double>(selected, 0.7, 1.0, 4).lower == 1.0);
}

TEST_CASE("separability bounds agree with 168-bit evaluation") {
  const std::vector<double> selected = {0.5, 0.2, 1e-5, 1e-20};
  const std::vector<Wide> wide(selected.begin(), selected.end());
  const auto reach = context_reach<double>(selected, 1.0, 0.3);
  const auto wide_reach = context_reach<Wide>(wide, Wide(1.0), Wide(0.3));
  for (std::size_t i = 0; i < 4; ++i) CHECK(reach[i] == Approx(static_cast<double>(wide_reach[i])).epsilon(1e-14));
  CHECK(separable_upper_printed<double>(reach, 0.1, 1.0) ==
        Approx(static_cast<double>(separable_upper_printed<Wide>(wide_reach, Wide(0.1), Wide(1)))).epsilon(1e-14));
  CHECK(separable_bounds_sharp<double>(selected, 0.1, 1.0, 8).upper ==
        Approx(static_cast<double>(separable_bounds_sharp<Wide>(wide, Wide(0.1), Wide(1), 8).upper)).epsilon(1e-13));
}
