#include "verify/sweep/source.hpp"

#include <algorithm>

namespace headroom::verify::sweep {

Assignment assignment_of(const WorkItem& item, const SweepPlan& plan, const Index& index, bool retry_failed,
                         GridWalk& walk) {
  Assignment assignment;
  assignment.point = item.point;
  assignment.trials = item.start;
  assignment.seconds = item.seconds;
  walk.move_to(item.point);
  std::vector<const IndexEntry*> lines;
  for (const std::uint64_t group : walk.groups()) {
    const IndexEntry* entry = index.find(item.hash, plan.grid().seed, group);
    const std::uint64_t start = entry == nullptr ? 0 : entry->trials;
    if (start != item.start || plan.is_done(entry)) continue;
    if (entry != nullptr && entry->failed && !retry_failed) continue;
    assignment.groups.push_back(group);
    const auto same_line = [&](const IndexEntry* other) {
      return other->shard == entry->shard && other->offset == entry->offset;
    };
    if (start == 0 || std::any_of(lines.begin(), lines.end(), same_line)) continue;
    lines.push_back(entry);
    assignment.saved.push_back(index.read(*entry));
  }
  return assignment;
}

std::size_t ListSource::left() const { return items_.size() - std::min(next_.load(), items_.size()); }

std::optional<Assignment> ListSource::next() {
  const std::size_t k = next_.fetch_add(1);
  if (k >= items_.size()) return std::nullopt;
  return at(k);
}

Assignment ListSource::at(std::size_t item) const {
  GridWalk walk = plan_.walk();
  Assignment assignment = assignment_of(items_[item], plan_, index_, retry_failed_, walk);
  assignment.item = item;
  return assignment;
}

}  // namespace headroom::verify::sweep
