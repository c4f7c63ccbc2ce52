#pragma once

#include <string>
#include <vector>

namespace headroom::app {

/// Exit statuses of the program (README.md).
enum ExitStatus : int {
  exit_done = 0,        ///< done; every verdict as expected
  exit_unexpected = 1,  ///< some verdict differs from the expected one
  exit_usage = 2,       ///< the call is wrong
  exit_input = 3,       ///< bad input or environment
  exit_interrupted = 130,
};

/// Runs one command line (without the program's name) and returns the exit status. Data go to standard output or files,
/// messages to standard error; every user error is one message.
int run_program(const std::vector<std::string>& arguments);

}  // namespace headroom::app
