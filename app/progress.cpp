#include "app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "app/duration.hpp"

namespace headroom::app {

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::size_t done) {
  done_ = done;
  const Clock::time_point now = Clock::now();
  const auto quiet = terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(30000);
  if (now - last_ < quiet) return;
  last_ = now;
  print(done, terminal_ ? "" : "\n");
}

void Progress::print(std::size_t done, const char* end) {
  const double seconds = std::chrono::duration<double>(last_ - start_).count();
  const std::string total = total_ > 0 ? fmt::format(" of {}", total_) : "";
  std::string left;
  if (done > 0 && done < total_) {
    const double rest = seconds / static_cast<double>(done) * static_cast<double>(total_ - done);
    left = ", " + duration_text(rest) + " left";
  }
  const char* begin = terminal_ ? "\r\033[K" : "";
  std::fputs(fmt::format("{}headroom: {}{} {}{}{}", begin, done, total, what_, left, end).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = terminal_;
}

}  // namespace headroom::app
