#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <limits>
#include <mutex>

namespace headroom {

/// What a thread of a parallel region ran into, to be thrown behind the region, where one may. Of several failures the
/// one that comes first in the work's own order is kept, so that the same input gives the same message whatever the
/// threads.
class ParallelFailure {
 public:
  /// Does the piece of work that comes at `order`, unless one at that place or before it has failed; keeps what it
  /// throws. Without an order the first failure to happen ends everything.
  template <class Work>
  void guard(std::size_t order, Work&& work) {
    if (order >= first_order_.load(std::memory_order_relaxed)) return;
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (order >= first_order_.load(std::memory_order_relaxed)) return;
      first_ = std::current_exception();
      first_order_.store(order, std::memory_order_relaxed);
    }
  }
  template <class Work>
  void guard(Work&& work) {
    guard(0, work);
  }

  [[nodiscard]] bool happened() const { return first_order_.load(std::memory_order_relaxed) != none; }

  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::atomic<std::size_t> first_order_{none};
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace headroom
