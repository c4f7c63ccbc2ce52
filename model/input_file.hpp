#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace headroom::model {

/// A regular file open for reading from its start; every failure is an input error naming the file.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& file);

  [[nodiscard]] const std::string& name() const { return name_; }

  /// Bytes in the file when it was opened.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Fills `buffer`; fewer bytes than that left is an error.
  void read(std::span<std::byte> buffer);

  /// Fills `buffer` from `offset` on, wherever read() stands.
  void read_at(std::uint64_t offset, std::span<std::byte> buffer) const;

  /// All of the file, wherever read() stands.
  [[nodiscard]] std::string content() const;

  /// Fails when the file is larger than `limit` bytes; `remedy` is the user's way out.
  void require_at_most(std::uint64_t limit, const std::string& remedy) const;

 private:
  [[noreturn]] void fail_to_read(int error) const;

  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };
  std::string name_;
  std::uint64_t size_ = 0;
  std::unique_ptr<std::FILE, Close> stream_;
};

}  // namespace headroom::model
