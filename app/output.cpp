#include "app/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "core/error.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = 1U << 16U;
// One block of the usual file systems: an empty file can still be created on a full disk.
constexpr std::size_t kProbeBytes = 4096;

std::string remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space, or name a folder on another disk with -o";
    case EACCES:
    case EPERM:
    case EROFS:
      return "name a folder you may write to with -o";
    case ENOENT:
      return "create the folder first, or name another with -o";
    case ENOTDIR:
    case EEXIST:
      return "a part of the path is a file; name another folder with -o";
    case EISDIR:
      return "it is a folder; name a file";
    case ENAMETOOLONG:
      return "choose a shorter name";
    case EFBIG:
      return "raise the limit on file size (ulimit -f)";
    default:
      return "check the path and the disk, or name another place with -o";
  }
}

[[noreturn]] void throw_cannot(const std::string& what, const fs::path& path, int error) {
  throw_input("cannot " + what + ": " + std::generic_category().message(error), path.string(), remedy(error));
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

bool written_directly(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// Opens a new file in `folder` and stores its name. The name does not grow with the final one, which may already be
/// as long as the file system allows. Returns −1 with errno set on failure.
int open_temporary(const fs::path& folder, fs::path& name) {
  static std::atomic<unsigned> counter{0};
  int descriptor = -1;
  do {
    name = folder / (".headroom-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".tmp");
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && (errno == EEXIST || errno == EINTR));
  return descriptor;
}

/// 0 or the error.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// 0 or the error. A rename is on the disk only when its folder is; some file systems cannot sync folders, which is no
/// reason to reject a complete file.
int sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES ? 0 : errno;
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return error == EINVAL || error == ENOTSUP ? 0 : error;
}

/// 0 or the error of making a file of one block in the folder; the file is gone afterwards.
int probe(const fs::path& folder) {
  fs::path name;
  const int descriptor = open_temporary(folder, name);
  if (descriptor < 0) return errno;
  int error = write_all(descriptor, std::string(kProbeBytes, '\0'));
  if (error == 0 && ::fsync(descriptor) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  ::unlink(name.c_str());
  return error;
}

}  // namespace

OutputFile::OutputFile(const fs::path& path) : path_(path), final_(path) {
  if (path.empty()) throw_input("the name of the output file is empty", "", "name one with -o");
  if (written_directly(path)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    std::error_code error;
    if (fs::is_directory(path, error)) fail(EISDIR);
    if (const fs::path target = fs::canonical(path, error); !error) final_ = target;
    descriptor_ = open_temporary(folder_of(final_), temporary_);
    if (descriptor_ < 0) temporary_.clear();
  }
  if (descriptor_ < 0) fail(errno);
  buffer_.reserve(kBufferBytes);
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::write(std::string_view bytes) {
  assert(descriptor_ >= 0);
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() > kBufferBytes) {
    if (const int error = write_all(descriptor_, bytes)) fail(error);
  } else {
    buffer_ += bytes;
  }
}

void OutputFile::commit() {
  assert(descriptor_ >= 0);
  flush();
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail(errno);
  // A network file system may report a full disk only here.
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail(errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), final_.c_str()) != 0) fail(errno);
  temporary_.clear();
  if (const int error = sync_folder(folder_of(final_))) fail(error);
}

void OutputFile::flush() {
  const int error = write_all(descriptor_, buffer_);
  buffer_.clear();
  if (error != 0) fail(error);
}

void OutputFile::fail(int error) {
  discard();
  throw_cannot("write the file", path_, error);
}

void OutputFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void write_file(const fs::path& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

void create_output_folder(const fs::path& folder) {
  if (folder.empty()) throw_input("the name of the output folder is empty", "", "name one with -o");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw_cannot("create the output folder", folder, error.value());
  if (!fs::is_directory(folder, error))
    throw_cannot("create the output folder", folder, error ? error.value() : ENOTDIR);
  if (const int reason = probe(folder)) throw_cannot("write to the output folder", folder, reason);
}

void check_output_file(const fs::path& path) {
  if (path.empty()) throw_input("the name of the output file is empty", "", "name one with -o");
  if (written_directly(path)) return;
  std::error_code error;
  if (fs::is_directory(path, error)) throw_cannot("write the file", path, EISDIR);
  fs::path target = fs::canonical(path, error);
  if (error) target = path;
  if (const int reason = probe(folder_of(target))) throw_cannot("write the file", path, reason);
}

}  // namespace headroom::app
