#include "theory/expected_distance.hpp"

#include <cmath>
#include <vector>

#include "catch.hpp"
#include "tests/theory/rows.hpp"
#include "theory/distance.hpp"

using namespace headroom::theory;
using headroom::theory_test::rows_to_try;
using headroom::theory_test::Wide;

namespace {

/// E[D] by enumeration of all subsets of size `top`.
double enumerated(const RowView<double>& row, std::size_t top) {
  double sum = 0.0;
  double subsets = 0.0;
  for (unsigned bits = 0; bits < 1U << row.size(); ++bits) {
    Selection selection;
    for (std::size_t i = 0; i < row.size(); ++i)
      ((bits >> i & 1U) != 0 ? selection.selected : selection.rest).push_back(i);
    if (selection.selected.size() != top) continue;
    sum += distance(row, selection);
    subsets += 1.0;
  }
  return sum / subsets;
}

/// The upper bound by its formula as docs/derivations.md states it, O(L²·d).
double upper_as_printed(const RowView<double>& row, std::size_t top) {
  const auto length = static_cast<double>(row.size());
  const double p = static_cast<double>(top) / (length - 1.0);
  const std::vector<double> whole = weighted_sum(row);
  double sum = 0.0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    double mean = 0.0;
    double scatter = 0.0;
    for (std::size_t k = 0; k < row.dim(); ++k) {
      const double others = whole[k] - row.weights[i] * row.vectors(i, k);
      mean += std::pow(p * others - row.weights[i] * row.vectors(i, k), 2);
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (j != i) scatter += std::pow(row.weights[j] * row.vectors(j, k) - others / (length - 1.0), 2);
      }
    }
    const double variance = row.size() == 2 ? 0.0 : static_cast<double>(top) * (1.0 - p) * scatter / (length - 2.0);
    sum += std::sqrt(mean + variance);
  }
  return (length - static_cast<double>(top)) / length * sum;
}

}  // namespace

TEST_CASE("the expected distance over all subsets lies between its two Jensen bounds") {
  for (const std::size_t length : {2U, 3U, 8U}) {
    for (const auto& row : rows_to_try(length, 3)) {
      for (std::size_t top = 1; top < length; ++top) {
        const double exact = enumerated(row.view(), top);
        CHECK(expected_distance(row.view(), top) <= exact * (1 + 1e-12));
        CHECK(expected_distance_upper(row.view(), top) >= exact * (1 - 1e-12));
      }
    }
  }
}

TEST_CASE("with two tokens, or all but one selected, the expected distance is exact") {
  for (const std::size_t length : {2U, 7U}) {
    for (const auto& row : rows_to_try(length, 3)) {
      const double exact = enumerated(row.view(), length - 1);
      CHECK(expected_distance(row.view(), length - 1) == Approx(exact).epsilon(1e-12));
      CHECK(expected_distance_upper(row.view(), length - 1) == Approx(exact).epsilon(1e-12));
    }
  }
}

TEST_CASE("the upper bound in O(L) is the formula in O(L²)") {
  for (const auto& row : rows_to_try(15, 4)) {
    for (const std::size_t top : {1U, 5U, 14U}) {
      CHECK(expected_distance_upper(row.view(), top) == Approx(upper_as_printed(row.view(), top)).epsilon(1e-11));
    }
  }
}

TEST_CASE("dropping the selection probability changes nothing when all but one token are selected") {
  for (const auto& row : rows_to_try(9, 3)) {
    CHECK(expected_distance_full(row.view(), 8) == Approx(expected_distance(row.view(), 8)).epsilon(1e-14));
    CHECK(expected_distance_full(row.view(), 9) == 0.0);
    CHECK(expected_distance(row.view(), 9) == 0.0);
    CHECK(expected_distance_upper(row.view(), 9) == 0.0);
  }
}

TEST_CASE("E0 stays below N‖c‖ + Σ‖y_i‖") {
  for (const auto& row : rows_to_try(40, 3)) {
    const std::vector<double> whole = weighted_sum(row.view());
    CHECK(expected_distance(row.view(), 5) <= 5.0 * norm<double>(whole) + sum_of_norms(row.view()) + 1e-12);
  }
}

TEST_CASE("expected distances agree with 168-bit evaluation") {
  for (const auto& row : rows_to_try(12, 4)) {
    const auto wide = headroom::theory_test::widen(row);
    CHECK(expected_distance(row.view(), 3) ==
          Approx(static_cast<double>(expected_distance(wide.view(), 3))).epsilon(1e-13));
    CHECK(expected_distance_upper(row.view(), 3) ==
          Approx(static_cast<double>(expected_distance_upper(wide.view(), 3))).epsilon(1e-13));
  }
}
