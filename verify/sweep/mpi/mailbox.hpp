#pragma once

#include <mpi.h>

#include <list>
#include <optional>
#include <string>

namespace headroom::verify::sweep {

/// Texts to and from the ranks of a communicator, none of which can hold its owner up: a rank that does not answer any
/// more takes no messages either. For one thread. Errors of MPI are input errors.
class Mailbox {
 public:
  struct Letter {
    int from = 0;
    std::string text;
  };

  /// Duplicates the communicator, which is collective.
  explicit Mailbox(MPI_Comm communicator);
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  /// Lets the duplicate go, which is collective, unless abandon() was called.
  ~Mailbox();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  void send(int to, std::string text);
  /// The next letter that has arrived, in the order of each sender; nothing when there is none.
  [[nodiscard]] std::optional<Letter> receive();

  /// Whether everything sent is on its way.
  [[nodiscard]] bool delivered();

  /// Some rank is gone: what was sent to it stays undelivered, and nothing collective is called.
  void abandon() { abandoned_ = true; }

 private:
  struct Outgoing {
    std::string text;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  bool abandoned_ = false;
  std::list<Outgoing> outgoing_;
};

}  // namespace headroom::verify::sweep
