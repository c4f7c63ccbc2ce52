#include "model/run_watch.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace headroom::model {

RunWatch::RunWatch(double seconds, std::function<void()> end)
    : thread_([this, seconds, end = std::move(end)] {
        constexpr double kYear = 3e7;  // what the clock can add up
        std::unique_lock lock(mutex_);
        if (over_.wait_for(lock, std::chrono::duration<double>(std::min(seconds, kYear)), [this] { return stopping_; }))
          return;
        ended_.store(true);
        end();
      }) {}

RunWatch::~RunWatch() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  over_.notify_all();
  thread_.join();
}

}  // namespace headroom::model
