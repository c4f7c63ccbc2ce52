#include "app/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace headroom::app {
namespace {

// A signal handler can reach nothing but a lock-free flag of static storage.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void request_stop(int signal) {
  stop_requested.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_interrupts() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool interrupted() noexcept { return stop_requested.load(std::memory_order_relaxed); }

}  // namespace headroom::app
