#pragma once

#include <exception>

namespace headroom::app {

/// Thrown where the reader of standard output has closed it, as `head` does: that it had enough is no error to tell.
class OutputClosed : public std::exception {
 public:
  /// The program's exit status then: that of one that SIGPIPE ends.
  static constexpr int status = 141;
};

}  // namespace headroom::app
