#pragma once

#include <cstddef>
#include <span>

namespace headroom::verify {

/// x·y in increasing order of the index.
[[nodiscard]] inline double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
  return sum;
}

/// ‖x−y‖².
[[nodiscard]] inline double distance2(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sum;
}

/// ‖a·x − b·y‖; the longer of the two may carry padding, which is not looked at.
[[nodiscard]] double difference_norm(double a, std::span<const double> x, double b, std::span<const double> y);

}  // namespace headroom::verify
