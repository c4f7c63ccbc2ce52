#include "verify/sweep/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <tuple>
#include <unordered_set>

#include "core/error.hpp"
#include "sim/hash.hpp"

namespace headroom::verify::sweep {
namespace {

namespace fs = std::filesystem;

auto key(const IndexEntry& entry) { return std::tuple(entry.cell, entry.seed, entry.group); }

std::string damage_text(const fs::path& file, const ShardDamage& damage) {
  std::string text;
  if (damage.torn_bytes > 0) text = fmt::format("its last line is cut off after {} bytes", damage.torn_bytes);
  if (damage.damaged_lines > 0) {
    if (!text.empty()) text += ", and ";
    text += damage.damaged_lines == 1 ? fmt::format("line {} is damaged", damage.first_line)
                                      : fmt::format("{} lines are damaged, the first of them line {}",
                                                    damage.damaged_lines, damage.first_line);
  }
  return fmt::format("{}: {}; what stood there does not count", file.string(), text);
}

}  // namespace

struct Index::LastShard {
  std::mutex mutex;
  std::optional<std::uint32_t> shard;
  std::ifstream stream;
};

Index::Index() : last_(std::make_shared<LastShard>()) {}

Index::Index(const fs::path& cells, const std::string& watched) : Index() {
  std::error_code error;
  for (fs::directory_iterator at(cells, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".jsonl") shards_.push_back(at->path());
  }
  if (error) throw_input("cannot read: " + error.message(), cells.string(), "check that it is there and readable");
  std::sort(shards_.begin(), shards_.end());
  for (std::uint32_t shard = 0; shard < shards_.size(); ++shard) add_shard(shard, watched);
  keep_latest();
  forget_overcome();
}

void Index::add_shard(std::uint32_t shard, const std::string& watched) {
  RecordHead head;
  std::uint64_t strange = 0;
  const ShardDamage damage = read_shard(shards_[shard], [&](std::string_view line, std::uint64_t offset) {
    if (!read_head(line, head)) {
      ++strange;
      return;
    }
    std::optional<Record> record;
    if (head.failed || !watched.empty()) record = read_record(line);
    if (head.failed && record) failures_.push_back({record->of, record->failure});
    for (std::size_t g = 0; g < head.groups.size(); ++g) {
      IndexEntry entry;
      entry.cell = head.cell;
      entry.seed = head.seed;
      entry.group = head.groups[g];
      entry.trials = head.trials;
      entry.offset = offset;
      entry.length = static_cast<std::uint32_t>(line.size());
      entry.shard = shard;
      entry.failed = head.failed;
      if (record && !head.failed) {
        for (const auto& [name, moments] : record->groups[g].values) {
          if (name == watched) entry.standard_error = moments.standard_error();
        }
      }
      entries_.push_back(entry);
    }
  });
  if (strange > 0) {
    throw_input(fmt::format("{} sound lines are no records that this program knows", strange), shards_[shard].string(),
                "use the version of headroom that wrote them");
  }
  if (damage.torn_bytes > 0 || damage.damaged_lines > 0) damages_.push_back(damage_text(shards_[shard], damage));
}

// Equal records from several shards (a cell that two writers computed) are the same bytes: the first is taken.
void Index::keep_latest() {
  std::stable_sort(entries_.begin(), entries_.end(), [](const IndexEntry& a, const IndexEntry& b) {
    return std::tuple(key(a), b.trials, a.failed) < std::tuple(key(b), a.trials, b.failed);
  });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < entries_.size();) {
    std::size_t end = k;
    const IndexEntry* value = nullptr;
    std::uint64_t failed_at = 0;
    bool failed = false;
    for (; end < entries_.size() && key(entries_[end]) == key(entries_[k]); ++end) {
      if (entries_[end].failed) {
        failed = true;
        failed_at = std::max(failed_at, entries_[end].trials);
      } else if (value == nullptr) {
        value = &entries_[end];
      }
    }
    IndexEntry entry = value != nullptr ? *value : entries_[k];
    if (value == nullptr) entry.trials = 0;
    entry.failed = failed && failed_at >= entry.trials;
    entries_[kept++] = entry;
    k = end;
  }
  entries_.resize(kept);
  entries_.shrink_to_fit();
}

// The last failure of a cell is kept, and only while its cell is not past it.
void Index::forget_overcome() {
  std::unordered_set<std::uint64_t> failed;
  for (const IndexEntry& entry : entries_) {
    if (entry.failed) failed.insert(entry.cell);
  }
  std::reverse(failures_.begin(), failures_.end());
  std::erase_if(failures_, [&](const Failure& failure) { return failed.erase(sim::hash64(failure.of)) == 0; });
  std::reverse(failures_.begin(), failures_.end());
}

const IndexEntry* Index::find(std::uint64_t cell, std::uint64_t seed, std::uint64_t group) const {
  const std::tuple wanted(cell, seed, group);
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), wanted,
                                   [](const IndexEntry& entry, const auto& than) { return key(entry) < than; });
  return at != entries_.end() && key(*at) == wanted ? &*at : nullptr;
}

std::string Index::read_line(const IndexEntry& entry) const {
  const fs::path& file = shards_[entry.shard];
  std::string line(entry.length, '\0');
  const std::scoped_lock lock(last_->mutex);
  std::ifstream& stream = last_->stream;
  if (last_->shard != entry.shard || !stream) {
    stream = std::ifstream(file, std::ios::binary);
    last_->shard = entry.shard;
  }
  stream.seekg(static_cast<std::streamoff>(entry.offset));
  stream.read(line.data(), static_cast<std::streamsize>(line.size()));
  if (!stream || !line_is_sound(line)) {
    throw_input("a record that was there a moment ago is gone", file.string(),
                "do not change shards while they are read");
  }
  return line;
}

Record Index::read(const IndexEntry& entry) const {
  std::optional<Record> record = read_record(read_line(entry));
  if (!record) {
    throw_input(fmt::format("the record at byte {} cannot be read", entry.offset), shards_[entry.shard].string(),
                "use the version of headroom that wrote it");
  }
  return std::move(*record);
}

}  // namespace headroom::verify::sweep
