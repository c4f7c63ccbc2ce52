#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headroom::app {

/// A file that appears under its final name only when complete.
///
/// The bytes go to a temporary name in the same folder; commit() forces them to the disk and renames. Without commit(),
/// or after any failure, the temporary file is removed and a file that stood under the final name is untouched. A
/// symbolic link is followed, so that the link survives. Devices and pipes (/dev/stdout, /dev/null) cannot be renamed
/// over: they are written directly.
///
/// Every failure is Error(Fault::input) naming the path, the system's reason ("No space left on device") and a remedy.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::string_view bytes);

  /// Makes the file appear. At most once, and nothing can be written afterwards.
  void commit();

 private:
  [[noreturn]] void fail(int error);
  void flush();
  void discard() noexcept;

  std::filesystem::path path_;       // as the user named it, for messages
  std::filesystem::path final_;      // with symbolic links resolved
  std::filesystem::path temporary_;  // empty when the target is written directly
  std::string buffer_;
  int descriptor_ = -1;
};

/// The whole of `bytes` as the file `path`, or an error and no such file.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Creates the folder and its parents where missing, and proves that files of some size can be made in it, so that a
/// run of minutes does not end in an error that was there at its start.
/// Throws Error(Fault::input) when a part of the path is a file, the folder is not writable or the disk is full.
void create_output_folder(const std::filesystem::path& folder);

/// The same proof for a file to be written later: its folder must exist and take files; `path` itself stays untouched.
void check_output_file(const std::filesystem::path& path);

}  // namespace headroom::app
