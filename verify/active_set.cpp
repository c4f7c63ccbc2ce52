#include "verify/active_set.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>

namespace headroom::verify {

// Halves what is undecided: either its larger half holds what is missing, or it is taken whole.
std::size_t active_set(std::span<const double> weights, double share, std::vector<double>& scratch) {
  assert(share > 0 && share <= 1);
  scratch.clear();
  for (const double weight : weights) {
    if (weight > 0) scratch.push_back(weight);
  }
  double missing = share * std::accumulate(scratch.begin(), scratch.end(), 0.0);
  auto first = scratch.begin();
  auto last = scratch.end();
  while (last - first > 1) {
    const auto middle = first + (last - first) / 2;
    std::nth_element(first, middle, last, std::greater<>());
    const double half = std::accumulate(first, middle, 0.0);
    if (half >= missing) {
      last = middle;
    } else {
      missing -= half;
      first = middle;
    }
  }
  return static_cast<std::size_t>(last - scratch.begin());
}

}  // namespace headroom::verify
