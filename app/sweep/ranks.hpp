#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "verify/sweep/shared_source.hpp"

namespace headroom::app {

/// The processes that compute a sweep together: the ranks of MPI_COMM_WORLD when an MPI launcher started this one, else
/// this one alone. One object per process, made and destroyed on the main thread.
class Ranks {
 public:
  /// Throws a usage error when a launcher started several and the program was built without MPI.
  Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Threads for this rank: OMP_NUM_THREADS where it is set, else the processors it may run on, divided among the ranks
  /// of this machine that share them.
  [[nodiscard]] int threads() const { return threads_; }

  /// Whether rank 0 says yes; collective.
  [[nodiscard]] bool agreed(bool yes) const;

  /// Where this rank's cells come from, collective; null for a process alone, which takes them from its list.
  /// @param list on rank 0, must outlive the source; null elsewhere
  [[nodiscard]] std::unique_ptr<verify::sweep::SharedSource> source(verify::sweep::ListSource* list,
                                                                    verify::sweep::SharingOptions options) const;

  /// Some rank is gone, so that MPI cannot be ended in good order: leaves without.
  void abandon() { joined_ = false; }

 private:
  int rank_ = 0;
  int size_ = 1;
  int threads_ = 1;
  bool joined_ = false;
};

}  // namespace headroom::app
