#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// The candidate with the smallest edit distance (insertion, deletion, substitution, transposition of neighbours) to
/// `name`, compared without regard to case; the first of equals. Empty when there is no candidate.
/// Used by every message about an unknown name, which must offer the right one.
[[nodiscard]] std::string nearest(std::string_view name, std::span<const std::string> candidates);

}  // namespace headroom
