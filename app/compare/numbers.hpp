#pragma once

#include <array>

#include "app/compare/measure.hpp"

namespace headroom::app {

/// A number that compare gives of a head under a normalizer, at one length and N.
struct HeadNumber {
  const char* name;
  double (*of)(const LengthMeans& at, std::size_t top);  ///< @param top index of N; NaN where it is not defined
};

extern const std::array<HeadNumber, 10> head_numbers;

/// E₀, where it is measured. Not one of the above, which grids of heads keep in their records.
extern const HeadNumber expected_number;

}  // namespace headroom::app
