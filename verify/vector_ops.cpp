#include "verify/vector_ops.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::verify {

double difference_norm(double a, std::span<const double> x, double b, std::span<const double> y) {
  double sum = 0;
  const std::size_t size = std::min(x.size(), y.size());
  for (std::size_t k = 0; k < size; ++k) {
    const double component = a * x[k] - b * y[k];
    sum += component * component;
  }
  return std::sqrt(sum);
}

}  // namespace headroom::verify
