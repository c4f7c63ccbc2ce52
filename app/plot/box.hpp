#pragma once

#include <vector>

namespace headroom::app::plot {

/// Tukey's box plot of a sample.
struct BoxSummary {
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double lower_whisker = 0;      // the smallest value ≥ lower_quartile − 1.5 IQR, at most lower_quartile
  double upper_whisker = 0;      // the largest value ≤ upper_quartile + 1.5 IQR, at least upper_quartile
  std::vector<double> outliers;  // the values beyond the whiskers, ascending
};

/// The p-quantile by linear interpolation between order statistics at (n−1)p, type 7 of Hyndman and Fan (1996), the
/// default of NumPy and R. Requires an ascending, non-empty sample of finite values and 0 ≤ p ≤ 1.
[[nodiscard]] double quantile(const std::vector<double>& ascending, double p);

/// The summary of the finite values of a sample. Requires at least one of them.
[[nodiscard]] BoxSummary summarize(std::vector<double> sample);

}  // namespace headroom::app::plot
