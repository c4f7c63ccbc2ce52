#include "verify/sweep/shard.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "verify/sweep/record.hpp"

namespace headroom::verify::sweep {
namespace {

std::string remedy(int error) {
  if (error == ENOSPC || error == EDQUOT) return "free some space and start again; what was finished is kept";
  if (error == EACCES || error == EPERM || error == EROFS) return "make the folder writable and start again";
  if (error == EFBIG) return "raise the limit on file size (ulimit -f) and start again";
  return "check the disk and start again; what was finished is kept";
}

std::string message(int error) { return std::generic_category().message(error); }

const std::string first_line_start = R"({"shard":")";

// Whether a first line is of a schema that this program reads; a record where there is none.
void check_schema(std::string_view line, const std::filesystem::path& file) {
  if (!line.starts_with(first_line_start)) return;
  const std::string_view schema =
      line.substr(first_line_start.size(), line.find('"', first_line_start.size()) - first_line_start.size());
  if (schema == shard_schema) return;
  throw_input("it is of schema " + std::string(schema) + ", and this program reads " + std::string(shard_schema),
              file.string(), "use the version of headroom that wrote it");
}

}  // namespace

ShardWriter::ShardWriter(std::filesystem::path file, std::string about)
    : file_(std::move(file)), about_(std::move(about)) {}

ShardWriter::~ShardWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ShardWriter::fail(int error) {
  broken_ = error;
  throw_input("cannot write: " + message(error), file_.string(), remedy(error));
}

void ShardWriter::open() {
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
  synced_ = std::chrono::steady_clock::now();
  std::string members = "\"shard\":\"" + std::string(shard_schema) + '"';
  if (!about_.empty()) members += ',' + about_;
  put(checked_line(members));
  // The name of the file is on the disk only when its folder is.
  const int folder = ::open(file_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

void ShardWriter::put(std::string_view line) {
  const auto whole = static_cast<std::int64_t>(line.size());
  while (!line.empty()) {
    const ssize_t written = ::write(descriptor_, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      // Nothing can be done about a failure here: readers ignore the torn line.
      [[maybe_unused]] const int cut = ::ftruncate(descriptor_, size_);
      fail(error);
    }
    line.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += whole;
}

void ShardWriter::append(std::string_view line) {
  const std::scoped_lock lock(mutex_);
  if (broken_ != 0) fail(broken_);
  if (descriptor_ < 0) open();
  put(line);
  const auto now = std::chrono::steady_clock::now();
  if (now - synced_ < sync_interval) return;
  synced_ = now;
  if (::fdatasync(descriptor_) != 0) fail(errno);
}

void ShardWriter::sync() {
  const std::scoped_lock lock(mutex_);
  if (descriptor_ >= 0 && ::fdatasync(descriptor_) != 0) fail(errno);
}

ShardDamage read_shard(const std::filesystem::path& file,
                       const std::function<void(std::string_view, std::uint64_t)>& visit) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    throw_input("cannot read: " + message(error), file.string(), "check its permissions");
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  constexpr std::size_t portion = std::size_t{1} << 20;
  ShardDamage damage;
  std::vector<char> buffer(std::min<std::uint64_t>(portion, size));
  std::size_t filled = 0;
  std::uint64_t offset = 0;  // of the buffer's first byte
  std::uint64_t line_number = 0;
  int error = 0;
  try {
    while (offset + filled < size) {
      if (filled == buffer.size()) buffer.resize(2 * buffer.size());  // a line longer than the buffer
      const std::size_t room = std::min<std::uint64_t>(buffer.size() - filled, size - offset - filled);
      const ssize_t got = ::pread(descriptor, buffer.data() + filled, room, static_cast<off_t>(offset + filled));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        error = got < 0 ? errno : EIO;
        break;
      }
      std::size_t searched = filled;
      filled += static_cast<std::size_t>(got);
      std::size_t begin = 0;
      while (true) {
        const auto from = buffer.begin() + static_cast<std::ptrdiff_t>(std::max(begin, searched));
        const auto end = std::find(from, buffer.begin() + static_cast<std::ptrdiff_t>(filled), '\n');
        const auto at = static_cast<std::size_t>(end - buffer.begin());
        if (at == filled) break;
        ++line_number;
        const std::string_view line(buffer.data() + begin, at - begin);
        if (!line_is_sound(line)) {
          if (damage.damaged_lines++ == 0) damage.first_line = line_number;
        } else if (line.starts_with(first_line_start)) {
          check_schema(line, file);
        } else {
          visit(line, offset + begin);
        }
        begin = at + 1;
      }
      std::copy(buffer.begin() + static_cast<std::ptrdiff_t>(begin),
                buffer.begin() + static_cast<std::ptrdiff_t>(filled), buffer.begin());
      offset += begin;
      filled -= begin;
    }
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
  if (error != 0) throw_input("cannot read: " + message(error), file.string(), "check the disk");
  damage.torn_bytes = filled;
  return damage;
}

}  // namespace headroom::verify::sweep
