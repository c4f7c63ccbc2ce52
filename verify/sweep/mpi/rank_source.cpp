#include "verify/sweep/mpi/rank_source.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

namespace headroom::verify::sweep {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

// How long the service sleeps between two looks at its letters. A rank asks before it runs dry, so nobody waits for it;
// and a look takes a processor from the cells, so looks become rarer while nothing comes.
class Pause {
 public:
  void sleep() {
    std::this_thread::sleep_for(length_);
    length_ = std::min(2 * length_, longest);
  }
  void shorten() { length_ = shortest; }

 private:
  static constexpr std::chrono::microseconds shortest{300};
  static constexpr std::chrono::microseconds longest{4800};
  std::chrono::microseconds length_ = shortest;
};

// Seconds since the last look. A process that was suspended finds out in one long step, in which the others may have
// been suspended too.
class Ticks {
 public:
  double next() {
    const Clock::time_point now = Clock::now();
    const double step = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return std::min(step, 0.1);
  }

 private:
  Clock::time_point last_ = Clock::now();
};

// Seconds after which a rank says that it is there.
double heartbeat(const SharingOptions& options) { return std::min(5.0, options.silence / 4); }

Json packed(const Assignment& assignment) {
  Json records = Json::array();
  for (const Record& record : assignment.saved) {
    std::string line = record_line(record);
    line.pop_back();
    records.push_back(std::move(line));
  }
  return {{"item", assignment.item},       {"point", assignment.point},   {"trials", assignment.trials},
          {"seconds", assignment.seconds}, {"groups", assignment.groups}, {"saved", records}};
}

Assignment unpacked(const Json& json) {
  Assignment assignment;
  assignment.item = json.at("item").get<std::size_t>();
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

RankSource::RankSource(MPI_Comm communicator, ListSource* list, SharingOptions options)
    : mail_(communicator), list_(list), options_(std::move(options)) {
  if (mail_.rank() == 0) peers_.resize(static_cast<std::size_t>(mail_.size()));
  service_ = std::thread([this] { serve(); });
}

RankSource::~RankSource() { close(); }

SharedTotals RankSource::close() {
  {
    const std::scoped_lock lock(mutex_);
    leaving_ = true;
  }
  if (service_.joinable()) service_.join();
  return totals();
}

SharedTotals RankSource::totals() const {
  const std::scoped_lock lock(mutex_);
  return totals_;
}

std::optional<Assignment> RankSource::next() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (failure_) std::rethrow_exception(failure_);
    if (mail_.rank() == 0) {
      if (stopping()) return std::nullopt;
      if (std::optional<Assignment> assignment = take()) return assignment;
      // What the others have in hand may yet come back.
      if (!in_hand_anywhere()) return std::nullopt;
    } else if (!queue_.empty()) {
      Assignment assignment = std::move(queue_.front());
      queue_.pop_front();
      ++working_;
      return assignment;
    } else if (ended_) {
      return std::nullopt;
    }
    // Now and then for `stop`, which nobody announces.
    changed_.wait_for(lock, std::chrono::milliseconds(100));
  }
}

void RankSource::finished(const Assignment& assignment, bool failed) {
  const std::scoped_lock lock(mutex_);
  ++(failed ? totals_.failed : totals_.finished);
  totals_.seconds += assignment.seconds;
  if (mail_.rank() == 0) return;
  --working_;
  news_.emplace_back(assignment.item, failed);
}

void RankSource::serve() {
  try {
    mail_.rank() == 0 ? hand_out() : ask();
    Ticks ticks;
    // What was on its way to a rank that is lost stays there.
    const double patience = totals().whole ? options_.silence : 0.5;
    Pause pause;
    for (double waited = 0; !mail_.delivered() && waited < patience; waited += ticks.next()) pause.sleep();
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::current_exception();
    totals_.whole = false;
  }
  const std::scoped_lock lock(mutex_);
  if (!totals_.whole) mail_.abandon();
  changed_.notify_all();
}

// Until every other rank has left, or is lost, and this one too.
void RankSource::hand_out() {
  Ticks ticks;
  Pause pause;
  while (true) {
    pause.sleep();
    const std::scoped_lock lock(mutex_);
    while (const std::optional<Mailbox::Letter> letter = mail_.receive()) {
      hear(*letter);
      pause.shorten();
    }
    const double step = ticks.next();
    for (int rank = 1; rank < mail_.size(); ++rank) {
      Peer& peer = peers_[static_cast<std::size_t>(rank)];
      if (!peer.lost && !peer.left && (peer.silent += step) > options_.silence) lose(rank);
      if (peer.asks) answer(rank);
      reassure(rank, step);
    }
    static_cast<void>(mail_.delivered());
    if (leaving_) pause.shorten();
    if (!leaving_ || !all_left()) continue;
    // Everybody waits for this, and learns whether there is still everybody.
    for (int rank = 1; rank < mail_.size(); ++rank) {
      if (peers_[static_cast<std::size_t>(rank)].left) mail_.send(rank, Json{{"bye", totals_.whole}}.dump());
    }
    return;
  }
}

void RankSource::hear(const Mailbox::Letter& letter) {
  const Json json = Json::parse(letter.text);
  Peer& peer = peers_[static_cast<std::size_t>(letter.from)];
  peer.silent = 0;
  for (const Json& one : json.at("news")) {
    const auto item = one.at(0).get<std::size_t>();
    const bool failed = one.at(1).get<bool>();
    const auto held = peer.in_hand.find(item);
    if (held == peer.in_hand.end()) continue;  // it was given to another, who is counted
    ++(failed ? totals_.failed : totals_.finished);
    totals_.seconds += held->second;
    peer.in_hand.erase(held);
  }
  if (options_.heard && !json.at("news").empty()) options_.heard(totals_);
  const auto word = static_cast<Word>(json.at("word").get<int>());
  if (word == Word::ask) peer.asks = true;
  if (word == Word::leave) {
    peer.left = true;
    // What it did not get to, for the others: it left because of a trouble of its own, or everybody stops.
    for (const auto& [item, seconds] : peer.in_hand) returned_.push_back(list_->at(item));
    peer.in_hand.clear();
  }
  changed_.notify_all();
}

void RankSource::answer(int rank) {
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  Json cells = Json::array();
  if (!stopping() && !peer.lost) {
    const std::size_t share = list_->left() / (4 * static_cast<std::size_t>(mail_.size()));
    for (std::size_t k = 0; k < std::clamp<std::size_t>(share, 1, 64); ++k) {
      const std::optional<Assignment> assignment = take();
      if (!assignment) break;
      peer.in_hand[assignment->item] = assignment->seconds;
      cells.push_back(packed(*assignment));
    }
    // The answer waits while others have cells in hand that may come back.
    if (cells.empty() && in_hand_anywhere()) return;
  }
  peer.asks = false;
  peer.waiting = 0;
  mail_.send(rank, Json{{"cells", std::move(cells)}}.dump());
}

// Who waits for an answer, or to be let go, must not take this rank for lost.
void RankSource::reassure(int rank, double step) {
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  peer.waiting = peer.asks || peer.left ? peer.waiting + step : 0;
  if (peer.lost || peer.waiting < heartbeat(options_)) return;
  peer.waiting = 0;
  mail_.send(rank, Json{{"wait", true}}.dump());
}

void RankSource::lose(int rank) {
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  peer.lost = true;
  peer.asks = false;
  totals_.whole = false;
  totals_.lost.push_back(rank);
  const std::size_t cells = peer.in_hand.size();
  for (const auto& [item, seconds] : peer.in_hand) returned_.push_back(list_->at(item));
  peer.in_hand.clear();
  if (options_.lost) options_.lost(rank, cells);
  changed_.notify_all();
}

std::optional<Assignment> RankSource::take() {
  if (returned_.empty()) return list_->next();
  Assignment assignment = std::move(returned_.front());
  returned_.pop_front();
  return assignment;
}

bool RankSource::stopping() const {
  return leaving_ || (options_.stop && options_.stop()) || (options_.fail_fast && totals_.failed > 0);
}

bool RankSource::in_hand_anywhere() const {
  return std::any_of(peers_.begin(), peers_.end(), [](const Peer& peer) { return !peer.in_hand.empty(); });
}

bool RankSource::all_left() const {
  return std::all_of(peers_.begin() + 1, peers_.end(), [](const Peer& peer) { return peer.left || peer.lost; });
}

// Until rank 0 lets this one go, or falls silent.
void RankSource::ask() {
  Ticks ticks;
  double unheard = 0;  // since something was asked
  double untold = 0;
  bool left = false;
  Pause pause;
  while (true) {
    pause.sleep();
    const std::scoped_lock lock(mutex_);
    const double step = ticks.next();
    untold += step;
    unheard = asked_ || left ? unheard + step : 0;
    while (const std::optional<Mailbox::Letter> letter = mail_.receive()) {
      obey(*letter);
      unheard = 0;
      pause.shorten();
    }
    static_cast<void>(mail_.delivered());
    if (dismissed_) return;
    if (unheard > options_.silence && !alone_) {
      alone_ = ended_ = true;
      totals_.whole = false;
      totals_.lost.push_back(0);
      if (options_.lost) options_.lost(0, 0);
      changed_.notify_all();
    }
    if (leaving_ && (alone_ || left)) {
      if (alone_) return;
    } else if (leaving_) {
      left = true;
      untold = 0;
      tell(Word::leave);
    } else if (!ended_ && !asked_ && queue_.size() < options_.threads) {
      asked_ = true;
      untold = 0;
      tell(Word::ask);
    }
    const bool idle = queue_.empty() && working_ == 0;
    if (idle || leaving_) pause.shorten();
    if (!alone_ && !dismissed_ && ((idle && !news_.empty()) || untold > heartbeat(options_))) {
      untold = 0;
      tell(Word::report);
    }
  }
}

void RankSource::tell(Word word) {
  mail_.send(0, Json{{"word", static_cast<int>(word)}, {"news", news_}}.dump());
  news_.clear();
}

void RankSource::obey(const Mailbox::Letter& letter) {
  const Json json = Json::parse(letter.text);
  if (const auto bye = json.find("bye"); bye != json.end()) {
    dismissed_ = true;
    totals_.whole = totals_.whole && bye->get<bool>();
    return;
  }
  if (json.contains("wait")) return;
  asked_ = false;
  for (const Json& item : json.at("cells")) queue_.push_back(unpacked(item));
  ended_ = ended_ || json.at("cells").empty();
  changed_.notify_all();
}

}  // namespace headroom::verify::sweep
