#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verify/sweep/record.hpp"
#include "verify/sweep/shard.hpp"

namespace headroom::verify::sweep {

/// Where the latest of what is known about one group of a cell stands. Of two records of the same cell, seed and group
/// the one with more trials counts: the other is a beginning of it.
struct IndexEntry {
  std::uint64_t cell = 0;
  std::uint64_t seed = 0;
  std::uint64_t group = 0;
  std::uint64_t trials = 0;
  std::uint64_t offset = 0;  ///< of its line; meaningless while trials = 0
  std::uint32_t length = 0;
  std::uint32_t shard = 0;
  bool failed = false;                                              ///< an attempt to get beyond these trials failed
  double standard_error = std::numeric_limits<double>::infinity();  ///< of the quantity the index was asked to watch
};

/// What stands in all shards of a folder, without its values: about 64 bytes per cell and group.
class Index {
 public:
  /// Reads every *.jsonl file of `cells`, in the order of their names. @param watched quantity whose standard error is
  /// read along; empty: none. Throws input errors of read_shard.
  explicit Index(const std::filesystem::path& cells, const std::string& watched = "");

  /// Of no folder.
  Index();

  /// Null when nothing is known.
  [[nodiscard]] const IndexEntry* find(std::uint64_t cell, std::uint64_t seed, std::uint64_t group) const;

  /// In the order of cell, seed and group.
  [[nodiscard]] const std::vector<IndexEntry>& entries() const { return entries_; }

  /// The record an entry stands for, read from its shard; `trials` must not be 0. Throws an input error when it is not
  /// there any more.
  [[nodiscard]] Record read(const IndexEntry& entry) const;
  [[nodiscard]] std::string read_line(const IndexEntry& entry) const;

  /// One sentence for each shard that is not sound throughout.
  [[nodiscard]] const std::vector<std::string>& damages() const { return damages_; }

  [[nodiscard]] const std::vector<std::filesystem::path>& shards() const { return shards_; }

  /// The cells whose latest attempt failed, each with its text and why.
  struct Failure {
    std::string of;
    std::string why;
  };
  [[nodiscard]] const std::vector<Failure>& failures() const { return failures_; }

 private:
  struct LastShard;

  void add_shard(std::uint32_t shard, const std::string& watched);
  void keep_latest();
  void forget_overcome();

  std::vector<std::filesystem::path> shards_;
  std::vector<IndexEntry> entries_;
  std::vector<std::string> damages_;
  std::vector<Failure> failures_;
  std::shared_ptr<LastShard> last_;  // the one that was read from last, kept open
};

}  // namespace headroom::verify::sweep
