#include "verify/sweep/mpi/mailbox.hpp"

#include <utility>

#include "core/error.hpp"

namespace headroom::verify::sweep {
namespace {

constexpr int letter_tag = 1;

void check(int result) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw_input(std::string("MPI: ") + text, "", "start again; what was finished is kept");
}

}  // namespace

Mailbox::Mailbox(MPI_Comm communicator) {
  check(MPI_Comm_dup(communicator, &communicator_));
  check(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN));
  check(MPI_Comm_rank(communicator_, &rank_));
  check(MPI_Comm_size(communicator_, &size_));
}

Mailbox::~Mailbox() {
  if (!abandoned_) {
    MPI_Comm_free(&communicator_);
    return;
  }
  // MPI may still read from what it could not deliver.
  static std::list<Outgoing> undeliverable;
  undeliverable.splice(undeliverable.end(), outgoing_);
}

void Mailbox::send(int to, std::string text) {
  Outgoing& letter = outgoing_.emplace_back(Outgoing{std::move(text), MPI_REQUEST_NULL});
  check(MPI_Isend(letter.text.data(), static_cast<int>(letter.text.size()), MPI_CHAR, to, letter_tag, communicator_,
                  &letter.request));
}

std::optional<Mailbox::Letter> Mailbox::receive() {
  int arrived = 0;
  MPI_Status status{};
  check(MPI_Iprobe(MPI_ANY_SOURCE, letter_tag, communicator_, &arrived, &status));
  if (arrived == 0) return std::nullopt;
  int size = 0;
  check(MPI_Get_count(&status, MPI_CHAR, &size));
  Letter letter{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
  check(MPI_Recv(letter.text.data(), size, MPI_CHAR, letter.from, letter_tag, communicator_, MPI_STATUS_IGNORE));
  return letter;
}

bool Mailbox::delivered() {
  for (auto letter = outgoing_.begin(); letter != outgoing_.end();) {
    int done = 0;
    check(MPI_Test(&letter->request, &done, MPI_STATUS_IGNORE));
    letter = done != 0 ? outgoing_.erase(letter) : std::next(letter);
  }
  return outgoing_.empty();
}

}  // namespace headroom::verify::sweep
