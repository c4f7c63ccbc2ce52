#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace headroom::app {

/// Progress of a long run on standard error: a line redrawn in place on a terminal, otherwise a line every 30 s.
class Progress {
 public:
  /// @param what   e.g. "heads"   @param total how many there are; 0 where nobody can know
  Progress(std::string what, std::size_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// `done` of the total are finished; also says how long the rest will take, where there is a total.
  void update(std::size_t done);

  /// One more of the total is finished.
  void advance() { update(done_ + 1); }

 private:
  using Clock = std::chrono::steady_clock;
  void print(std::size_t done, const char* end);

  std::string what_;
  std::size_t total_;
  std::size_t done_ = 0;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace headroom::app
