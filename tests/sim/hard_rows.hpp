#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "sim/random.hpp"

namespace headroom::sim::test {

struct HardRow {
  std::vector<double> logits;
  double temperature;
};

/// Row number `index` of a fixed endless list: Gaussian rows from 10⁻³ to 10⁸, ties, steps of one unit in the last
/// place at 10⁸, tokens at the very edge of a sparse support, one token ahead, n = 1 and 2, zeros, and −∞ masks.
inline HardRow hard_row(std::size_t index) {
  Stream stream(2024, 7, index);
  const std::size_t sizes[] = {1, 2, 2, 3, 5, 9, 24};
  const double temperatures[] = {1, 1, 0.1, 8, 1e-3, 0.7};
  const double scales[] = {1e-3, 0.3, 1, 5, 40, 1e3, 1e8};
  const std::size_t n = sizes[stream.below(7)];
  HardRow row = {std::vector<double>(n), temperatures[stream.below(6)]};
  std::vector<double>& l = row.logits;
  const double scale = scales[stream.below(7)];
  switch (index % 8) {
    case 0:
    case 1:
    case 2:
      for (double& x : l) x = scale * stream.normal();
      break;
    case 3:  // a few values, many ties
      for (double& x : l) x = scale * static_cast<double>(stream.below(3));
      break;
    case 4: {  // neighbours in the last place
      const double base = (stream.below(2) != 0 ? 1e8 : -1e8) + stream.normal();
      for (double& x : l) x = base + static_cast<double>(stream.below(9)) * 0x1p-26;
      break;
    }
    case 5:  // at the edge of a sparse support, on and about it
      for (double& x : l) x = -row.temperature * (1 - 1e-9 * static_cast<double>(stream.below(3)));
      l[stream.below(n)] = 0;
      break;
    case 6:  // one ahead
      for (double& x : l) x = 1e-3 * stream.normal();
      l[stream.below(n)] += row.temperature * 12 * stream.uniform();
      break;
    default:
      for (double& x : l) x = stream.below(2) != 0 ? 0.0 : scale * (stream.uniform() - 0.5);
  }
  if (index % 5 == 4) {
    for (std::size_t i = 0; i + 1 < n; ++i) {
      if (stream.below(3) == 0) l[i] = -std::numeric_limits<double>::infinity();
    }
  }
  return row;
}

}  // namespace headroom::sim::test
