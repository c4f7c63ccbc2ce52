#pragma once

#include <cstddef>

#include "app/reproduce/grids.hpp"
#include "app/reproduce/head_record.hpp"

namespace headroom::app::test {

/// Grids of two lengths and a few N, one temperature and one ε.
[[nodiscard]] inline Grids small_grids() {
  Grids grids;
  grids.lengths = {8, 16};
  grids.distance_top = 2;
  grids.distance_tops = {1, 2};
  grids.critical_dense = 3;
  grids.separable_tops = {1, 2};
  grids.temperatures = {1};
  grids.epsilons = {0.1};
  return grids;
}

/// A record over these grids whose every number is `value`, each mean over as many rows as the length.
[[nodiscard]] inline HeadRecord uniform_record(const Grids& grids, std::size_t head, double value) {
  HeadRecord record{0, head, {}, {}};
  for (std::size_t length : grids.lengths) {
    record.at_length.emplace_back();
    for (std::size_t top = 1; top <= length / 2; ++top) {
      verify::TopMeans means{top, length, {}};
      means.mean.fill(value);
      record.at_length.back().push_back(means);
    }
  }
  record.sensitivity = {{value}, {value}, {value}};
  return record;
}

}  // namespace headroom::app::test
