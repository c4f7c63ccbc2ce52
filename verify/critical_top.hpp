#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "verify/statistics/ks.hpp"

namespace headroom::verify {

/// Per-head means at one N: the distance of the top-N selection and an expectation over random selections.
struct HeadMeans {
  std::size_t top = 0;
  std::vector<double> distance;
  std::vector<double> expected;
};

/// Algorithm 3 of the paper: the smallest N at which the two-sample Kolmogorov–Smirnov test does not reject, at
/// significance level `level`, that the heads' mean distances and mean expectations come from one distribution.
struct CriticalTop {
  std::size_t top = 0;
  KsResult test;
};

/// @param means in increasing N. Nothing when every N is rejected.
[[nodiscard]] std::optional<CriticalTop> critical_top(std::span<const HeadMeans> means, double level);

}  // namespace headroom::verify
