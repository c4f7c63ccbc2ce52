#pragma once

#include <span>
#include <string>

#include "app/diagnose/profile.hpp"
#include "app/diagnose/rules.hpp"
#include "app/json.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// heads.csv: a row per head, the measured numbers, its group, and the rules that fired joined by "+".
[[nodiscard]] Table diagnosis_table(std::span<const HeadProfile> heads, const RuleLimits& limits);

/// The same for a terminal: a line per head, then for every rule its limit, how many heads are beyond it, where the
/// heads lie, and what the paper advises.
[[nodiscard]] std::string diagnosis_text(std::span<const HeadProfile> heads, const RuleLimits& limits,
                                         const ProfileOptions& options);

/// limits, heads and summary, as `--json` shows them.
[[nodiscard]] Json diagnosis_json(std::span<const HeadProfile> heads, const RuleLimits& limits,
                                  const ProfileOptions& options);
[[nodiscard]] Json limits_json(const RuleLimits& limits, const ProfileOptions& options);

}  // namespace headroom::app
