#pragma once

#include <vector>

namespace headroom::bench {

/// seconds = linear·L + rest·L^exponent.
struct Growth {
  double exponent = 2;
  double linear = 0;
  double rest = 0;
  double worst = 0;   ///< the largest |fitted − measured|/measured
  double square = 0;  ///< the sum of the squares of those

  [[nodiscard]] double at(double length) const;
};

/// The coefficients ≥ 0 with the least squares of the relative errors. Requires two lengths or more, seconds > 0.
[[nodiscard]] Growth fit_growth(const std::vector<double>& lengths, const std::vector<double>& seconds,
                                double exponent);

/// The exponent in [1.2, 3] that fits best, with its coefficients; needs more than three lengths to mean anything.
[[nodiscard]] Growth fit_exponent(const std::vector<double>& lengths, const std::vector<double>& seconds);

}  // namespace headroom::bench
