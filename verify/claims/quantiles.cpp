#include "verify/claims/quantiles.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::verify {

Tightness tightness_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto at = [&](double p) {
    const double rank = std::ceil(p * static_cast<double>(values.size())) - 1.0;
    return values[static_cast<std::size_t>(std::max(rank, 0.0))];
  };
  return {at(0.5), at(0.95), values.back()};
}

}  // namespace headroom::verify
