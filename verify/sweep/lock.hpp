#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace headroom::verify::sweep {

/// Which part of a sweep a process does: shard `index` of `count`, from 1; 1 of 1 is the whole.
struct ShardChoice {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
  [[nodiscard]] bool whole() const { return count == 1; }
};

/// A process at work on a folder, as its lock file says.
struct Holder {
  std::string host;
  std::uint64_t pid = 0;
  std::string started;   ///< UTC
  std::string progress;  ///< a line about how far it is; may be empty
  bool alive = false;
};

/// The right to compute a shard of the sweep in a folder, for as long as the object lives.
///
/// A lock is the file `lock` (the whole sweep) or `lock-I-of-N` in the folder, and an flock(2) on it, which the kernel
/// drops with its process: on one machine a lock is never stale. Where flock does not reach (some network file systems,
/// holders on other hosts), the file's own text and its time of change, renewed every 10 s, decide: a holder of this
/// host is gone when no process has its pid and start time, one of another host when it has been silent for two
/// minutes. The file stays when the lock is released, without its text.
class FolderLock {
 public:
  static constexpr std::chrono::seconds renewal{10};
  static constexpr std::chrono::seconds silence{120};

  /// Throws input errors: the shard, or another that overlaps it, is held (naming holder, host, pid and start); the
  /// folder cannot be written.
  FolderLock(const std::filesystem::path& folder, ShardChoice shard);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  /// The process that held the shard and did not release it; empty when there was none.
  [[nodiscard]] const std::string& stale() const { return stale_; }

  /// What status shows of this holder.
  void set_progress(std::string line);

  /// Who is at work on a folder.
  [[nodiscard]] static std::vector<Holder> holders(const std::filesystem::path& folder);

 private:
  void acquire();
  void refuse_overlaps(const std::filesystem::path& folder, ShardChoice shard) const;
  void write_text();
  void renew();
  void release() noexcept;

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::string identity_;
  std::string stale_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;
  std::string progress_;
  std::thread renewer_;
};

}  // namespace headroom::verify::sweep
