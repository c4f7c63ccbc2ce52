#pragma once

#include <span>

#include "verify/statistics/intervals.hpp"

namespace headroom::verify {

/// Measurements on a growing grid: y_i at x_i > 0, with standard errors, all positive, or none known (empty).
struct GrowingGrid {
  std::span<const double> x;
  std::span<const double> y;
  std::span<const double> standard_error;
};

/// What both fits below do with the errors. Weights are 1/standard error². The scatter about the curve, χ² per degree
/// of freedom ν, widens the interval when it exceeds 1 (an asymptotic form is never exact on a finite grid), and never
/// narrows it. Without standard errors the weights are equal and the scatter alone sets the scale. Quantiles are
/// Student's with ν degrees of freedom.
///
/// Errors (input) name the element: sizes that differ, too few points, values that are not finite, x ≤ 0, a standard
/// error ≤ 0. Error (usage): confidence outside (0, 1).

/// y = prefactor·x^exponent.
struct PowerLawFit {
  double exponent;
  Interval interval;  ///< of the exponent
  double prefactor;
  double chi_squared;  ///< weighted sum of squared residuals of log y
  int degrees_of_freedom;
};

/// Weighted least squares of log y on log x, the error of log y being standard error/y. Needs y > 0 and at least three
/// points, two of them at different x.
[[nodiscard]] PowerLawFit fit_power_law(const GrowingGrid& grid, double confidence);

/// y = limit + amplitude·x^{−rate}.
struct LimitFit {
  double limit;
  Interval interval;  ///< of the limit
  double amplitude;
  double rate;
  double chi_squared;
  int degrees_of_freedom;
};

/// The rates fit_limit may choose from, 0 < slowest ≤ fastest. Equal ends fix the rate.
struct RateRange {
  double slowest = 0.25;
  double fastest = 4.0;
};

/// Least squares over limit, amplitude and a rate within the range, by linear least squares at each rate. The interval
/// is the profile one: all limits for which some amplitude and rate have χ² ≤ χ²_min + t²·max(1, χ²_min/ν) (the factor
/// is χ²_min/ν without standard errors). It covers the ignorance of the rate, so it widens where the data say little
/// about it. Needs at least four points at three different x (three points when the rate is fixed).
[[nodiscard]] LimitFit fit_limit(const GrowingGrid& grid, double confidence, const RateRange& rates = {});

}  // namespace headroom::verify
