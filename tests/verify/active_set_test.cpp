#include "verify/active_set.hpp"

#include <algorithm>
#include <functional>
#include <random>

#include "catch.hpp"

using headroom::verify::active_set;

TEST_CASE("the active set is what a sorted row says") {
  std::mt19937_64 bits(7);
  std::vector<double> scratch;
  for (std::size_t n = 1; n < 60; ++n) {
    std::vector<double> row(n);
    for (double& weight : row) weight = static_cast<double>(bits() % 8) / 8;  // ties and zeros; sums are exact
    row[bits() % n] = 1;
    std::vector<double> sorted = row;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double total = 0;
    for (const double weight : sorted) total += weight;
    for (const double share : {0.25, 0.5, 0.75, 1.0}) {
      std::size_t count = 0;
      for (double sum = 0; sum < share * total; ++count) sum += sorted[count];
      CHECK(active_set(row, share, scratch) == count);
    }
  }
}

TEST_CASE("a row of zeros has no active set") {
  std::vector<double> scratch;
  CHECK(active_set(std::vector<double>{0, 0, 0}, 0.9, scratch) == 0);
  CHECK(active_set({}, 0.9, scratch) == 0);
  CHECK(active_set(std::vector<double>{0, 3, 0}, 1, scratch) == 1);
}
