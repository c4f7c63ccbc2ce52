#pragma once

#include <cstdint>
#include <functional>

namespace headroom::verify {

/// Calls work(b) for every block b in [0, count), on all threads. What work writes must depend on b alone, and is best
/// merged afterwards in the order of b. `stop` is polled before every block; true ends the loop with Stopped. The first
/// exception of a block ends it too and is thrown on.
void for_blocks(std::uint64_t count, const std::function<bool()>& stop, const std::function<void(std::uint64_t)>& work);

}  // namespace headroom::verify
