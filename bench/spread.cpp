#include "bench/spread.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headroom::bench {

Spread spread(std::vector<double> values) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return {(values[(n - 1) / 2] + values[n / 2]) / 2, values.front(), values.back()};
}

Spread ratio(const std::vector<double>& a, const std::vector<double>& b) {
  assert(a.size() == b.size());
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
  return spread(std::move(ratios));
}

double power(const std::vector<double>& x, const std::vector<double>& y) {
  assert(x.size() == y.size() && x.size() >= 2);
  const double n = static_cast<double>(x.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += std::log(x[i]) / n;
    mean_y += std::log(y[i]) / n;
  }
  double both = 0;
  double square = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double distance = std::log(x[i]) - mean_x;
    both += distance * (std::log(y[i]) - mean_y);
    square += distance * distance;
  }
  return both / square;
}

}  // namespace headroom::bench
