#include "model/input_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace headroom::model {
namespace {

std::string system_message(int error) { return std::generic_category().message(error); }

}  // namespace

InputFile::InputFile(const std::filesystem::path& file) : name_(file.string()) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(file, failure);
  if (!std::filesystem::exists(status)) {
    const bool absent = status.type() == std::filesystem::file_type::not_found;
    throw_input(absent ? "no such file" : "cannot be read: " + failure.message(), name_, "check the path");
  }
  // A pipe or device has no size to check claims against.
  if (!std::filesystem::is_regular_file(status)) {
    throw_input(std::filesystem::is_directory(status) ? "is a folder" : "is not a regular file", name_,
                "name a regular file");
  }
  stream_.reset(std::fopen(file.c_str(), "rb"));
  if (!stream_) throw_input("cannot be opened: " + system_message(errno), name_, "check the permissions");
  size_ = std::filesystem::file_size(file, failure);
  if (failure) throw_input("size unknown: " + failure.message(), name_, "check the file system");
}

// `error` is 0 at the end of the file.
void InputFile::fail_to_read(int error) const {
  if (error != 0) throw_input("cannot be read: " + system_message(error), name_, "check the disk and the permissions");
  throw_input("ended while being read", name_, "it must not change meanwhile; run again");
}

void InputFile::read(std::span<std::byte> buffer) {
  if (buffer.empty()) return;
  errno = 0;
  if (std::fread(buffer.data(), 1, buffer.size(), stream_.get()) == buffer.size()) return;
  fail_to_read(std::ferror(stream_.get()) != 0 ? errno : 0);
}

void InputFile::read_at(std::uint64_t offset, std::span<std::byte> buffer) const {
  while (!buffer.empty()) {
    const ssize_t got = pread(fileno(stream_.get()), buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail_to_read(got < 0 ? errno : 0);
    buffer = buffer.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
}

std::string InputFile::content() const {
  std::string bytes(static_cast<std::size_t>(size_), '\0');
  read_at(0, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

void InputFile::require_at_most(std::uint64_t limit, const std::string& remedy) const {
  if (size_ <= limit) return;
  throw_input("is " + std::to_string(size_) + " bytes long, at most " + std::to_string(limit) + " are read", name_,
              remedy);
}

}  // namespace headroom::model
