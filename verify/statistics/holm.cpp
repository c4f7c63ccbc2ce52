#include "verify/statistics/holm.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "verify/statistics/checks.hpp"

namespace headroom::verify {

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  const std::size_t count = p_values.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (p_values[i] >= 0.0 && p_values[i] <= 1.0) continue;
    throw_input("a p-value must lie in [0, 1], got " + std::to_string(p_values[i]), "p-value " + std::to_string(i),
                "find the test that gave it");
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });

  std::vector<double> adjusted(count);
  double largest = 0.0;
  for (std::size_t rank = 0; rank < count; ++rank) {
    const double scaled = static_cast<double>(count - rank) * p_values[order[rank]];
    largest = std::max(largest, std::min(1.0, scaled));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

std::vector<bool> holm_rejected(std::span<const double> p_values, double level) {
  require_open_unit(level, "level");
  const std::vector<double> adjusted = holm_adjusted(p_values);
  std::vector<bool> rejected(adjusted.size());
  std::transform(adjusted.begin(), adjusted.end(), rejected.begin(), [level](double p) { return p <= level; });
  return rejected;
}

}  // namespace headroom::verify
