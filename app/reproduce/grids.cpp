#include "app/reproduce/grids.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::app {

Grids::Grids() {
  constexpr int count = 16;
  for (int i = 0; i < count; ++i) temperatures.push_back(std::pow(10.0, -3.0 + 5.0 * i / (count - 1)));
}

void Grids::limit(std::size_t length) {
  std::erase_if(lengths, [length](std::size_t l) { return l >= length; });
  lengths.push_back(length);
}

std::vector<std::size_t> Grids::critical_tops(std::size_t length) const {
  std::vector<std::size_t> tops;
  for (std::size_t top = 1; top < std::min(length, critical_dense + 1); ++top) tops.push_back(top);
  for (std::size_t top = 1; top <= length / 2; top *= 2) {
    if (top > critical_dense) tops.push_back(top);
  }
  return tops;
}

std::vector<std::size_t> Grids::figure_tops() const {
  std::vector<std::size_t> tops = distance_tops;
  tops.push_back(distance_top);
  tops.insert(tops.end(), separable_tops.begin(), separable_tops.end());
  std::sort(tops.begin(), tops.end());
  tops.erase(std::unique(tops.begin(), tops.end()), tops.end());
  return tops;
}

}  // namespace headroom::app
