#include "verify/claims/blocks.hpp"

#include <atomic>
#include <exception>

#include "verify/claims/claim.hpp"

namespace headroom::verify {

void for_blocks(std::uint64_t count, const std::function<bool()>& stop,
                const std::function<void(std::uint64_t)>& work) {
  std::exception_ptr failure;
  std::atomic<bool> ended{false};
  // An exception must not leave a parallel region.
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t b = 0; b < static_cast<std::int64_t>(count); ++b) {
    if (ended.load(std::memory_order_relaxed)) continue;
    try {
      if (stop()) throw Stopped{};
      work(static_cast<std::uint64_t>(b));
    } catch (...) {
#pragma omp critical(headroom_for_blocks)
      if (!failure) failure = std::current_exception();
      ended.store(true, std::memory_order_relaxed);
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace headroom::verify
