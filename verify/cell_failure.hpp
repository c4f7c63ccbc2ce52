#pragma once

#include <atomic>
#include <exception>

namespace headroom::verify {

/// The first exception that a thread of a parallel region ran into, to be thrown behind the region, where one may.
class CellFailure {
 public:
  /// Does `work` unless something has failed; keeps what it throws.
  template <class Work>
  void guard(Work&& work) {
    if (happened()) return;
    try {
      work();
    } catch (...) {
#pragma omp critical(headroom_cell_failure)
      if (!first_) first_ = std::current_exception();
      happened_.store(true, std::memory_order_relaxed);
    }
  }

  [[nodiscard]] bool happened() const { return happened_.load(std::memory_order_relaxed); }

  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> happened_{false};
  std::exception_ptr first_;
};

}  // namespace headroom::verify
