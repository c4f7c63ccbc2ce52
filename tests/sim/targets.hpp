#pragma once

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdint>

namespace headroom::sim::test {

/// Runs `body()` once on every instruction set that was compiled and that this machine has, then restores the best one.
template <class Body>
void on_every_target(Body body) {
  hwy::SetSupportedTargetsForTest(0);
  const std::int64_t all = hwy::SupportedTargets() & HWY_TARGETS;
  for (std::int64_t rest = all; rest != 0; rest &= rest - 1) {
    hwy::SetSupportedTargetsForTest(rest & -rest);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace headroom::sim::test
