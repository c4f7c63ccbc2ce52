#pragma once

#include <functional>
#include <span>
#include <vector>

#include "verify/claims/point_input.hpp"

namespace headroom::verify {

/// A point of a box and what a function is there.
struct Maximum {
  std::vector<double> at;
  double value = 0.0;
};

/// A local maximum of a function that may have kinks, jumps and plateaus: Rowan's Subplex as NLopt has it, which needs
/// no derivatives and is deterministic. At most `evaluations` ≥ 1 evaluations; the best point seen, never worse than
/// `start`, which is moved into the box first. A value that is not finite counts as −∞.
/// Exceptions of the function are thrown on.
[[nodiscard]] Maximum maximise(const std::function<double(std::span<const double>)>& function, const Box& box,
                               std::vector<double> start, int evaluations);

}  // namespace headroom::verify
