#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace headroom::app::test {

/// About a second of one core, in cells of some milliseconds.
inline const std::string short_grid = R"(
trials = 60
exclude = ["top >= length"]
[axes]
length = {from = 40, to = 240, step = 4}
top = [1, 8, 40]
normalizer = ["softmax", "sparsemax"]
[constants]
dim = 64
)";

/// A command line in a process of its own, its output in a file.
class Process {
 public:
  /// @param log gets standard output and error
  Process(const std::vector<std::string>& command, const std::string& log);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  void signal(int number) const;

  /// Waits for its end; the exit status, or 128 + the signal that ended it.
  int wait();

  /// The same, but kills a process that has not ended within `patience`.
  int wait_or_kill(std::chrono::seconds patience);

  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int status_ = -1;
};

/// Does lanes 0, 1, … at the same time, a thread each. What they run into is not theirs to tell Catch2, which takes
/// assertions from one thread.
void in_parallel(std::uint64_t lanes, const std::function<void(std::uint64_t)>& lane);

}  // namespace headroom::app::test
