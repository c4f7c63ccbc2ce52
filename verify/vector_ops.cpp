#include "verify/vector_ops.hpp"

#include <cmath>

namespace headroom::verify {

double difference_norm(double a, std::span<const double> x, double b, std::span<const double> y) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double component = a * x[k] - b * y[k];
    sum += component * component;
  }
  return std::sqrt(sum);
}

}  // namespace headroom::verify
