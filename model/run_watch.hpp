#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace headroom::model {

/// Calls `end` from a thread of its own when it has lived for so many seconds, and at most once.
class RunWatch {
 public:
  RunWatch(double seconds, std::function<void()> end);
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;
  ~RunWatch();

  [[nodiscard]] bool ended() const noexcept { return ended_.load(); }

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool stopping_ = false;
  std::atomic<bool> ended_{false};
  std::thread thread_;  // last, so that it finds the rest
};

}  // namespace headroom::model
