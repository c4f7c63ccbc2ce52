#pragma once

#include <vector>

namespace headroom::bench {

/// The rounds of one measurement.
struct Spread {
  double median = 0;
  double least = 0;
  double most = 0;
};

/// Requires at least one value.
[[nodiscard]] Spread spread(std::vector<double> values);

/// Of a[i]/b[i]: two sides measured in turn, so that what disturbed a round disturbed both.
[[nodiscard]] Spread ratio(const std::vector<double>& a, const std::vector<double>& b);

/// The exponent of y ~ x^p by least squares on logarithms.
[[nodiscard]] double power(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace headroom::bench
