#include "verify/statistics/moments.hpp"

#include <cmath>
#include <limits>

namespace headroom::verify {

void Moments::add(double value) {
  ++count;
  const double delta = value - mean;
  mean += delta / static_cast<double>(count);
  squared_deviations += delta * (value - mean);
}

void Moments::merge(const Moments& later) {
  if (later.count == 0) return;
  if (count == 0) {
    *this = later;
    return;
  }
  const auto here = static_cast<double>(count);
  const auto there = static_cast<double>(later.count);
  const double total = here + there;
  const double delta = later.mean - mean;
  count += later.count;
  mean += delta * (there / total);
  squared_deviations += later.squared_deviations + delta * delta * (here * (there / total));
}

double Moments::variance() const {
  if (count < 2) return std::numeric_limits<double>::infinity();
  return squared_deviations / static_cast<double>(count - 1);
}

double Moments::standard_deviation() const { return std::sqrt(variance()); }

double Moments::standard_error() const {
  if (count < 2) return std::numeric_limits<double>::infinity();
  return std::sqrt(variance() / static_cast<double>(count));
}

Moments merge_in_order(std::span<const Moments> blocks) {
  Moments total;
  for (const Moments& block : blocks) total.merge(block);
  return total;
}

}  // namespace headroom::verify
