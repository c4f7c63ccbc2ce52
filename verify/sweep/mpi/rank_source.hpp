#pragma once

#include <mpi.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "verify/cell_run.hpp"
#include "verify/sweep/source.hpp"

namespace headroom::verify::sweep {

/// The cells of a list shared out among the ranks of a communicator: each asks rank 0 for more when it has fewer in
/// hand than threads, and gets a portion of what is left, the most work first, down to single cells at the end. Rank 0
/// computes too.
///
/// MPI must have been initialised with at least MPI_THREAD_SERIALIZED; between construction and destruction nobody else
/// may call it. The communicator is the caller's: it is duplicated, never freed or aborted, and errors come back as
/// exceptions of next(). Construction and destruction are collective.
class RankSource final : public Source {
 public:
  /// @param list the cells, on rank 0; null on all others   @param threads that call next() on this rank
  /// @param stop when it says yes, no more cells are handed out
  RankSource(MPI_Comm communicator, ListSource* list, std::size_t threads, StopRequest stop);
  RankSource(const RankSource&) = delete;
  RankSource& operator=(const RankSource&) = delete;
  ~RankSource() override;

  [[nodiscard]] std::optional<Assignment> next() override;
  void finished(const Assignment&, bool) override {}

 private:
  void serve();
  void hand_out();
  void ask();
  void send(int rank, int tag, const std::string& bytes);
  [[nodiscard]] std::string receive(int rank, int tag, int* from = nullptr);
  [[nodiscard]] bool waiting(int rank, int tag);
  [[nodiscard]] std::string portion();

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  ListSource* list_;
  std::size_t threads_;
  StopRequest stop_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Assignment> queue_;
  bool ended_ = false;    // there is nothing more to come
  bool leaving_ = false;  // the owner has had enough
  std::exception_ptr failure_;
  std::thread service_;
};

}  // namespace headroom::verify::sweep
