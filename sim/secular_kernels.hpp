#pragma once

#include <cstddef>

namespace headroom::sim {

/// Of weights at least 0: the two largest, and without one of the largest their sum and Σw(1 − ρw).
struct WeightSums {
  double first = 0;
  double second = 0;
  double others = 0;
  double trace = 0;
};
[[nodiscard]] WeightSums weight_sums(const double* w, std::size_t n, double rho);

/// Σ w/(λ − w) over the weights below `limit`, which is at most λ.
[[nodiscard]] double pole_sum(const double* w, std::size_t n, double limit, double lambda);

}  // namespace headroom::sim
