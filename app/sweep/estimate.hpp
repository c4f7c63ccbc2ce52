#pragma once

#include <vector>

#include "verify/sweep/sweep_plan.hpp"

namespace headroom::app {

/// Seconds that the items would take one core here: five of them, from the least work to the most, are tried for
/// `budget` seconds each, fewer where single trials take longer, and the others taken to be off the plan's rough
/// estimate by what lies between. Items that fail when tried are left out. 0 when nothing can be tried.
[[nodiscard]] double measured_seconds(const verify::sweep::SweepPlan& plan,
                                      const std::vector<verify::sweep::WorkItem>& items, double budget = 0.2);

}  // namespace headroom::app
