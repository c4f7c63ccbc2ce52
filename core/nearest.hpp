#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// The candidate that alone begins with `name` (of five characters or more), else the one nearest by edit distance
/// (insertion, deletion, substitution, swap of neighbours), the first of equals, case aside. Empty without candidates.
/// Used by every message about an unknown name, which must offer the right one.
[[nodiscard]] std::string nearest(std::string_view name, std::span<const std::string> candidates);

}  // namespace headroom
