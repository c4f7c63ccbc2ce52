#pragma once

#include <cstdint>
#include <string_view>

namespace headroom::sim {

/// FNV-1a, 64 bits, over the bytes of `text`: h ← (h xor byte)·0x100000001b3 from h = 0xcbf29ce484222325
/// (Fowler, Noll, Vo; draft-eastlake-fnv). Stable across machines, compilers and releases: the hash of a cell's
/// parameters is part of the key of its random stream, so results saved today can be topped up later.
[[nodiscard]] constexpr std::uint64_t hash64(std::string_view text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace headroom::sim
