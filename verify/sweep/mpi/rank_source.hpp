#pragma once

#include <mpi.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "verify/sweep/mpi/mailbox.hpp"
#include "verify/sweep/shared_source.hpp"

namespace headroom::verify::sweep {

/// The cells of a list shared out among the ranks of a communicator: each asks rank 0 for more when it has fewer in
/// hand than threads, and gets a portion of what is left, the most work first, down to single cells at the end. Rank 0
/// computes too.
///
/// Ranks tell what they have finished and, every few seconds, that they are there. What a rank that falls silent had in
/// hand goes to the others; one that was only slow computes the same bytes once more. When rank 0 falls silent the
/// others finish what they have.
///
/// MPI must have been initialised with at least MPI_THREAD_SERIALIZED; between construction and close() nobody else may
/// call it. The communicator is the caller's: it is duplicated, never freed or aborted, and errors come back as
/// exceptions of next(). Construction is collective, and so is destruction unless a rank was lost.
class RankSource final : public SharedSource {
 public:
  /// @param list the cells, on rank 0; null on all others
  RankSource(MPI_Comm communicator, ListSource* list, SharingOptions options);
  RankSource(const RankSource&) = delete;
  RankSource& operator=(const RankSource&) = delete;
  ~RankSource() override;

  [[nodiscard]] std::optional<Assignment> next() override;
  void finished(const Assignment& assignment, bool failed) override;
  [[nodiscard]] SharedTotals totals() const override;
  SharedTotals close() override;

 private:
  /// What rank 0 knows of another rank.
  struct Peer {
    std::map<std::size_t, double> in_hand;  // items of the list, and their work
    double silent = 0;                      // seconds since it was heard
    double waiting = 0;                     // seconds since it was told anything
    bool asks = false;                      // and has had no answer yet
    bool left = false;                      // will not ask again
    bool lost = false;
  };
  enum class Word { ask, report, leave };

  void serve();
  void hand_out();
  void ask();

  // On rank 0, with the mutex held.
  void hear(const Mailbox::Letter& letter);
  void answer(int rank);
  void reassure(int rank, double step);
  void lose(int rank);
  [[nodiscard]] std::optional<Assignment> take();
  [[nodiscard]] bool stopping() const;
  [[nodiscard]] bool in_hand_anywhere() const;
  [[nodiscard]] bool all_left() const;

  // On the others, with the mutex held.
  void tell(Word word);
  void obey(const Mailbox::Letter& letter);

  Mailbox mail_;  // of the service thread, while there is one
  ListSource* list_;
  SharingOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  SharedTotals totals_;
  std::exception_ptr failure_;
  bool leaving_ = false;  // no thread of this process will ask again

  std::vector<Peer> peers_;                         // rank 0
  std::deque<Assignment> returned_;                 // rank 0: of ranks that were lost
  std::deque<Assignment> queue_;                    // others: to be computed
  std::size_t working_ = 0;                         // others: being computed
  std::vector<std::pair<std::size_t, bool>> news_;  // others: items finished, or failed, and not told yet
  bool ended_ = false;                              // others: there is nothing more to come
  bool asked_ = false;                              // others: an answer is due
  bool dismissed_ = false;                          // others: rank 0 has let this one go
  bool alone_ = false;                              // others: rank 0 has fallen silent
  std::thread service_;
};

}  // namespace headroom::verify::sweep
