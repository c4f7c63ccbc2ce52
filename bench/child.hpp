#pragma once

#include <sys/time.h>

#include <string>

namespace headroom::bench {

/// What a finished command wrote and took.
struct Child {
  std::string output;  ///< its standard output
  double seconds = 0;
  double processor_seconds = 0;  ///< user and system time, of all it waited for
  double peak_mebibytes = 0;     ///< largest resident set
};

[[nodiscard]] double in_seconds(const timeval& time);

/// Runs a command of the shell; messages go to our standard error. Throws std::runtime_error naming the command when it
/// cannot be started or ends with a status other than 0.
[[nodiscard]] Child run_child(const std::string& command);

/// A word of the shell that stands for itself.
[[nodiscard]] std::string quoted(const std::string& word);

}  // namespace headroom::bench
