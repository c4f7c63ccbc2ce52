#pragma once

#include <stdexcept>
#include <string>

namespace headroom::app {

/// Thrown once a run has saved what was finished after Ctrl-C or SIGTERM; says what that is.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(const std::string& saved) : std::runtime_error("interrupted; " + saved) {}
};

/// From now on a closed pipe or a file over the size limit is an error of the write, not the end of the program, and
/// the first Ctrl-C or SIGTERM only sets a flag that long runs look at; the second ends the program at once.
void watch_interrupts();

[[nodiscard]] bool interrupted() noexcept;

}  // namespace headroom::app
