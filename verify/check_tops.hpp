#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headroom::verify {

/// Throws a usage error naming `place` unless 1 <= N < L, the length, for every N: both selected and other tokens are
/// needed to tell them apart.
void check_tops(const std::vector<std::size_t>& tops, std::size_t length, const std::string& place);

}  // namespace headroom::verify
