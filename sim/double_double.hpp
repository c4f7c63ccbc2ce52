#pragma once

#include <cmath>
#include <span>

namespace headroom::sim {

/// hi + lo, |lo| at most half a unit in the last place of hi: about 106 bits (Dekker 1971, Knuth TAOCP 4.2.2).
/// Differences of large logits and thresholds near them are kept like this, so that no weight loses the bits
/// that the row itself determines.
struct DoubleDouble {
  double hi = 0;
  double lo = 0;
};

/// a + b exactly. With an infinite sum the low part is 0.
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double back = sum - a;
  const double error = (a - (sum - back)) + (b - back);
  return {sum, std::isfinite(sum) ? error : 0.0};
}

/// a·b exactly, barring underflow. With an infinite product the low part is 0.
inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, std::isfinite(product) ? std::fma(a, b, -product) : 0.0};
}

inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = two_sum(a.hi, b.hi);
  return two_sum(high.hi, high.lo + (a.lo + b.lo));
}

inline DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }
inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.hi, b.hi);
  if (!std::isfinite(product.hi)) return product;
  return two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double first = a.hi / b.hi;
  if (!std::isfinite(first)) return {first, 0};
  const DoubleDouble rest = a - DoubleDouble{first, 0} * b;
  const double second = rest.hi / b.hi;
  return std::isfinite(second) ? two_sum(first, second) : DoubleDouble{first, 0};
}

inline bool operator<(DoubleDouble a, DoubleDouble b) { return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo); }

/// Σ terms, rounded once or nearly so.
inline DoubleDouble sum_of(std::span<const double> terms) {
  DoubleDouble sum;
  for (const double term : terms) {
    const DoubleDouble next = two_sum(sum.hi, term);
    sum = {next.hi, sum.lo + next.lo};
  }
  return two_sum(sum.hi, sum.lo);
}

}  // namespace headroom::sim
