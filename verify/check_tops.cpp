#include "verify/check_tops.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace headroom::verify {

void check_tops(const std::vector<std::size_t>& tops, std::size_t length, const std::string& place) {
  for (const std::size_t top : tops) {
    if (top >= 1 && top < length) continue;
    throw_usage(fmt::format("N = {} does not leave both a selected and a non-selected token of {}", top, length), place,
                fmt::format("1 <= N <= L - 1 = {}", length - 1));
  }
}

}  // namespace headroom::verify
