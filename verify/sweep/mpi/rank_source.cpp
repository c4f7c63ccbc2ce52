#include "verify/sweep/mpi/rank_source.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace headroom::verify::sweep {
namespace {

using Json = nlohmann::json;

constexpr int ask_tag = 1;
constexpr int give_tag = 2;
const char* const more = "more";
const char* const leaving = "leaving";

// How long the service sleeps between two looks at its messages: a rank asks before it runs dry, so nobody waits for
// it.
constexpr std::chrono::microseconds pause{300};

void check(int result) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw_input(std::string("MPI: ") + text, "", "start again; what was finished is kept");
}

Json packed(const Assignment& assignment) {
  Json records = Json::array();
  for (const Record& record : assignment.saved) {
    std::string line = record_line(record);
    line.pop_back();
    records.push_back(std::move(line));
  }
  return {{"point", assignment.point},
          {"trials", assignment.trials},
          {"seconds", assignment.seconds},
          {"groups", assignment.groups},
          {"saved", records}};
}

Assignment unpacked(const Json& json) {
  Assignment assignment;
  assignment.point = json.at("point").get<std::uint64_t>();
  assignment.trials = json.at("trials").get<std::uint64_t>();
  assignment.seconds = json.at("seconds").get<double>();
  assignment.groups = json.at("groups").get<std::vector<std::uint64_t>>();
  for (const Json& line : json.at("saved")) {
    if (auto record = read_record(line.get_ref<const std::string&>())) assignment.saved.push_back(std::move(*record));
  }
  return assignment;
}

}  // namespace

RankSource::RankSource(MPI_Comm communicator, ListSource* list, std::size_t threads, StopRequest stop)
    : list_(list), threads_(threads), stop_(std::move(stop)) {
  check(MPI_Comm_dup(communicator, &communicator_));
  check(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN));
  check(MPI_Comm_rank(communicator_, &rank_));
  check(MPI_Comm_size(communicator_, &size_));
  service_ = std::thread([this] { serve(); });
}

RankSource::~RankSource() {
  {
    const std::scoped_lock lock(mutex_);
    leaving_ = true;
  }
  service_.join();
  MPI_Comm_free(&communicator_);
}

std::optional<Assignment> RankSource::next() {
  std::unique_lock lock(mutex_);
  if (rank_ == 0 && !failure_) return list_->next();
  arrived_.wait(lock, [this] { return !queue_.empty() || ended_ || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  if (queue_.empty()) return std::nullopt;
  Assignment assignment = std::move(queue_.front());
  queue_.pop_front();
  return assignment;
}

void RankSource::serve() {
  try {
    rank_ == 0 ? hand_out() : ask();
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::current_exception();
  }
  arrived_.notify_all();
}

// Until every other rank has been told that there is nothing more, or has left.
void RankSource::hand_out() {
  for (int present = size_ - 1; present > 0;) {
    if (!waiting(MPI_ANY_SOURCE, ask_tag)) {
      std::this_thread::sleep_for(pause);
      continue;
    }
    int from = 0;
    const std::string question = receive(MPI_ANY_SOURCE, ask_tag, &from);
    const std::string answer = question == leaving ? std::string("[]") : portion();
    send(from, give_tag, answer);
    if (answer == "[]") --present;
  }
}

std::string RankSource::portion() {
  Json batch = Json::array();
  const std::scoped_lock lock(mutex_);
  if (leaving_ || (stop_ && stop_())) return batch.dump();
  const std::size_t share = list_->left() / (4 * static_cast<std::size_t>(size_));
  for (std::size_t k = 0; k < std::clamp<std::size_t>(share, 1, 64); ++k) {
    const std::optional<Assignment> assignment = list_->next();
    if (!assignment) break;
    batch.push_back(packed(*assignment));
  }
  return batch.dump();
}

void RankSource::ask() {
  while (true) {
    bool left = false;
    bool hungry = false;
    {
      const std::scoped_lock lock(mutex_);
      left = leaving_;
      hungry = queue_.size() < threads_;
    }
    if (!left && !hungry) {
      std::this_thread::sleep_for(pause);
      continue;
    }
    send(0, ask_tag, left ? leaving : more);
    while (!waiting(0, give_tag)) std::this_thread::sleep_for(pause);
    const Json batch = Json::parse(receive(0, give_tag));
    const std::scoped_lock lock(mutex_);
    for (const Json& item : batch) queue_.push_back(unpacked(item));
    ended_ = batch.empty();
    arrived_.notify_all();
    if (ended_) return;
  }
}

bool RankSource::waiting(int rank, int tag) {
  int flag = 0;
  check(MPI_Iprobe(rank, tag, communicator_, &flag, MPI_STATUS_IGNORE));
  return flag != 0;
}

void RankSource::send(int rank, int tag, const std::string& bytes) {
  check(MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, rank, tag, communicator_));
}

std::string RankSource::receive(int rank, int tag, int* from) {
  MPI_Status status{};
  int size = 0;
  check(MPI_Probe(rank, tag, communicator_, &status));
  check(MPI_Get_count(&status, MPI_CHAR, &size));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  check(MPI_Recv(bytes.data(), size, MPI_CHAR, status.MPI_SOURCE, tag, communicator_, MPI_STATUS_IGNORE));
  if (from != nullptr) *from = status.MPI_SOURCE;
  return bytes;
}

}  // namespace headroom::verify::sweep
