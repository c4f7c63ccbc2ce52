#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "sim/double_double.hpp"

namespace headroom::sim {

/// The factor a length-aware normalizer multiplies its logits by, kept to twice the precision and finite.
inline DoubleDouble to_factor(long double c) {
  constexpr long double most = std::numeric_limits<double>::max();
  c = std::clamp(c, -most, most);
  const auto hi = static_cast<double>(c);
  return {hi, static_cast<double>(c - static_cast<long double>(hi))};
}

/// c·(l − reference)/T: the difference first and exactly, so that logits of ±1e8 keep every bit of it.
inline DoubleDouble scaled_difference(double logit, double reference, DoubleDouble c, double temperature) {
  DoubleDouble y = two_sum(logit, -reference);
  if (c.hi != 1 || c.lo != 0) y = y * c;
  return temperature == 1 ? y : y / DoubleDouble{temperature, 0};
}

/// The logit whose scaled value is the largest.
inline double top_logit(std::span<const double> logits, DoubleDouble c) {
  return c.hi < 0 ? *std::min_element(logits.begin(), logits.end()) : *std::max_element(logits.begin(), logits.end());
}

/// e^x of a value kept to twice the precision.
inline double exp_of(DoubleDouble x) {
  const double e = std::exp(x.hi);
  return e + e * x.lo;
}

/// Turns logits into exp(c(l − top)/T), the largest being 1, and returns their sum.
inline double scaled_exponentials(std::span<double> row, DoubleDouble c, double temperature) {
  const double top = top_logit(row, c);
  for (double& x : row) x = exp_of(scaled_difference(x, top, c, temperature));
  return sum_of(row).hi;
}

/// Turns logits into softmax(c·l/T).
inline void scaled_softmax(std::span<double> row, DoubleDouble c, double temperature) {
  const double sum = scaled_exponentials(row, c, temperature);
  for (double& x : row) x /= sum;
}

/// A scale 1/T, or c/T, that stays finite for tiny temperatures: 0·scale is 0.
inline double finite_ratio(double c, double temperature) {
  constexpr double most = std::numeric_limits<double>::max();
  return std::clamp(c / temperature, -most, most);
}

}  // namespace headroom::sim
