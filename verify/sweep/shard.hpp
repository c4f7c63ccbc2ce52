#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace headroom::verify::sweep {

/// What the first line of a shard says of its format; read_shard refuses later ones.
inline constexpr std::string_view shard_schema = "headroom.shard/1";

/// The append-only file of one writer: a line about the writer, then one line per record. May be used by several
/// threads.
///
/// A line is handed to the system in one go, and is then safe from the end of the process. The file is forced to the
/// disk when it has been `sync_interval` since the last time, and by sync(): a crash of the machine costs that much.
class ShardWriter {
 public:
  static constexpr std::chrono::seconds sync_interval{5};

  /// The file, which must not exist, is made with the first record. @param about JSON object members saying who writes,
  /// e.g. `"host":"n1","pid":7`
  ShardWriter(std::filesystem::path file, std::string about);
  ShardWriter(const ShardWriter&) = delete;
  ShardWriter& operator=(const ShardWriter&) = delete;
  ~ShardWriter();

  /// Appends a line with its line end. Throws an input error naming the file and the system's reason (a full disk);
  /// what of the line got into the file is cut off again, or left as a torn line where even that fails. Nothing can be
  /// appended afterwards.
  void append(std::string_view line);

  /// Forces what was appended to the disk.
  void sync();

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  void open();
  void put(std::string_view line);
  [[noreturn]] void fail(int error);

  std::filesystem::path file_;
  std::string about_;
  std::mutex mutex_;
  int descriptor_ = -1;
  int broken_ = 0;  // the error after which nothing more is written
  std::int64_t size_ = 0;
  std::chrono::steady_clock::time_point synced_;
};

/// What of a shard could not be used.
struct ShardDamage {
  std::uint64_t torn_bytes = 0;     ///< of a last line without its end, or one whose check is wrong
  std::uint64_t damaged_lines = 0;  ///< complete lines whose check is wrong
  std::uint64_t first_line = 0;     ///< the first of these, from 1
};

/// Calls `visit(line without its end, offset)` for every sound line but the first, in order. A writer may be appending:
/// what was there when the file was opened is read. Throws input errors when the file cannot be read or is of a later
/// schema.
ShardDamage read_shard(const std::filesystem::path& file,
                       const std::function<void(std::string_view, std::uint64_t)>& visit);

}  // namespace headroom::verify::sweep
