#pragma once

#include <cstddef>

namespace headroom::sim {

/// Of weights at least 0: the two largest, and without one of the largest their sum and sum of squares.
struct WeightSums {
  double first = 0;
  double second = 0;
  double others = 0;
  double squares = 0;
};
[[nodiscard]] WeightSums weight_sums(const double* w, std::size_t n);

/// Σ w/(λ − w) and Σ w/(λ − w)² over the weights below `limit`, which is at most λ.
struct PoleSums {
  double first = 0;
  double second = 0;
};
[[nodiscard]] PoleSums pole_sums(const double* w, std::size_t n, double limit, double lambda);

}  // namespace headroom::sim
