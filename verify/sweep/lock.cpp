#include "verify/sweep/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace headroom::verify::sweep {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string first_line(const fs::path& file) {
  std::string text = read_text(file);
  return text.substr(0, text.find('\n'));
}

std::string link_target(const fs::path& link) {
  std::error_code error;
  return fs::read_symlink(link, error).string();
}

// The host, this boot of it and this set of process numbers: where a pid means something.
std::string host_identity() {
  return first_line("/proc/sys/kernel/random/boot_id") + ' ' + link_target("/proc/self/ns/pid");
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

// When a process began, in clock ticks since boot; 0 when there is no such process. Field 22 of stat, counted behind
// the name, which is in parentheses and may hold anything.
std::uint64_t process_start(std::uint64_t pid) {
  const std::string text = read_text(fmt::format("/proc/{}/stat", pid));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int k = 3; k <= 22; ++k) fields >> field;
  return field.empty() ? 0 : std::strtoull(field.c_str(), nullptr, 10);
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

Json own_text() {
  const auto pid = static_cast<std::uint64_t>(::getpid());
  return {{"host", host_name()},
          {"pid", pid},
          {"started", utc_now()},
          {"identity", host_identity()},
          {"start_ticks", process_start(pid)}};
}

// Seconds since the file was last changed, by the clock of its file system, which a new file beside it tells.
double silence_of(const fs::path& file) {
  struct stat status {};
  struct stat now {};
  if (::stat(file.c_str(), &status) != 0) return 0;
  std::string probe = (file.parent_path() / ".headroom-clock-XXXXXX").string();
  const int descriptor = ::mkstemp(probe.data());
  if (descriptor < 0) return 0;
  const bool known = ::fstat(descriptor, &now) == 0;
  ::close(descriptor);
  ::unlink(probe.c_str());
  return known ? std::difftime(now.st_mtime, status.st_mtime) : 0;
}

enum class Flock { taken, held, unknown };

Flock try_flock(int descriptor) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return Flock::taken;
  return errno == EWOULDBLOCK ? Flock::held : Flock::unknown;
}

// Whoever asks for the state of a lock holds it for a moment; that is waited for.
Flock insist(int descriptor) {
  Flock state = try_flock(descriptor);
  for (int k = 0; k < 10 && state == Flock::held; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    state = try_flock(descriptor);
  }
  return state;
}

std::string describe(const Json& text) {
  return fmt::format("process {} on {}, started {}", text.value("pid", std::uint64_t{0}), text.value("host", "?"),
                     text.value("started", "?"));
}

// What a lock file says when nobody holds its flock, or nobody can tell.
bool text_is_alive(const Json& text, Flock state, const fs::path& file) {
  if (text.value("identity", "") != host_identity()) {
    return silence_of(file) < static_cast<double>(FolderLock::silence.count());
  }
  const auto pid = text.value("pid", std::uint64_t{0});
  return state == Flock::unknown && process_start(pid) != 0 &&
         process_start(pid) == text.value("start_ticks", std::uint64_t{0});
}

// What a lock file says, without what no lock of ours says.
Json parse(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return Json::object();
  for (const char* word : {"host", "started", "identity", "progress"}) {
    if (json.contains(word) && !json[word].is_string()) json.erase(word);
  }
  for (const char* number : {"pid", "start_ticks"}) {
    if (json.contains(number) && !json[number].is_number_unsigned()) json.erase(number);
  }
  return json;
}

std::string lock_name(ShardChoice shard) {
  return shard.whole() ? "lock" : fmt::format("lock-{}-of-{}", shard.index, shard.count);
}

[[noreturn]] void throw_cannot(const fs::path& file, int error) {
  throw_input("cannot lock the folder: " + std::generic_category().message(error), file.string(),
              "make the folder writable, or name another with -o");
}

[[noreturn]] void throw_held(const fs::path& file, const Json& text) {
  throw_input("the sweep is being computed by " + (text.empty() ? std::string("another process") : describe(text)),
              file.string(), "wait for it, or end it; results status shows how far it is");
}

std::vector<fs::path> lock_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name == "lock" || name.starts_with("lock-")) files.push_back(entry.path());
  }
  return files;
}

// Of a lock file that is not ours.
bool held(const fs::path& file, Json& text) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const Flock state = try_flock(descriptor);
  ::close(descriptor);
  const std::string content = read_text(file);
  text = parse(content);
  if (state == Flock::held) return true;
  return !content.empty() && text_is_alive(text, state, file);
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder, ShardChoice shard) : file_(folder / lock_name(shard)) {
  try {
    acquire();
    refuse_overlaps(folder, shard);
  } catch (...) {
    release();
    throw;
  }
  renewer_ = std::thread([this] { renew(); });
}

FolderLock::~FolderLock() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_all();
  renewer_.join();
  release();
}

void FolderLock::acquire() {
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_cannot(file_, errno);
  const Flock state = insist(descriptor_);
  const std::string content = read_text(file_);
  const Json text = parse(content);
  if (state == Flock::held || (!content.empty() && text_is_alive(text, state, file_))) {
    ::close(std::exchange(descriptor_, -1));
    throw_held(file_, text);
  }
  if (!content.empty()) stale_ = describe(text);
  identity_ = own_text().dump();
  write_text();
}

// The whole overlaps every shard, and shards of different counts each other. Two that start at the same moment may both
// be refused, never both let in: each has its own lock before it looks at the others'.
void FolderLock::refuse_overlaps(const fs::path& folder, ShardChoice shard) const {
  const std::string same_count = fmt::format("-of-{}", shard.count);
  for (const fs::path& other : lock_files(folder)) {
    if (other.filename() == file_.filename()) continue;
    if (!shard.whole() && other.filename().string().ends_with(same_count)) continue;
    Json text;
    if (held(other, text)) throw_held(other, text);
  }
}

void FolderLock::write_text() {
  Json text = parse(identity_);
  if (!progress_.empty()) text["progress"] = progress_;
  const std::string bytes = text.dump() + "\n";
  if (::ftruncate(descriptor_, 0) != 0 ||
      ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw_cannot(file_, errno);
  }
}

void FolderLock::renew() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, renewal, [this] { return stopping_; })) {
    try {
      write_text();
    } catch (const Error&) {
      // A full disk stops the writing of results with a message of its own; the lock itself is the flock.
      continue;
    }
  }
}

void FolderLock::release() noexcept {
  if (descriptor_ < 0) return;
  [[maybe_unused]] const int cut = ::ftruncate(descriptor_, 0);
  ::close(std::exchange(descriptor_, -1));
}

void FolderLock::set_progress(std::string line) {
  const std::scoped_lock lock(mutex_);
  progress_ = std::move(line);
}

std::vector<Holder> FolderLock::holders(const fs::path& folder) {
  std::vector<Holder> holders;
  for (const fs::path& file : lock_files(folder)) {
    Json text;
    const bool alive = held(file, text);
    if (!alive && text.empty()) continue;
    holders.push_back({text.value("host", "?"), text.value("pid", std::uint64_t{0}), text.value("started", "?"),
                       text.value("progress", ""), alive});
  }
  return holders;
}

}  // namespace headroom::verify::sweep
