#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "verify/sweep/sweep_plan.hpp"

namespace headroom::verify::sweep {

/// A cell to compute, with everything that is needed beside the grid: a rank on another node need not read the folder.
struct Assignment {
  std::size_t item = 0;  ///< of the list it comes from
  std::uint64_t point = 0;
  std::uint64_t trials = 0;  ///< what the groups have
  double seconds = 0;
  std::vector<std::uint64_t> groups;
  std::vector<Record> saved;  ///< their state, in one or several records; empty when trials = 0
};

/// Where the cells to compute come from, the most work first. Called by several threads at once.
class Source {
 public:
  virtual ~Source() = default;
  /// The next one; nothing when there is none left.
  [[nodiscard]] virtual std::optional<Assignment> next() = 0;
  /// One that next() gave is finished, or has failed.
  virtual void finished(const Assignment& assignment, bool failed) = 0;
};

/// Fills in what a work item stands for. @param walk used and left at the item's point
[[nodiscard]] Assignment assignment_of(const WorkItem& item, const SweepPlan& plan, const Index& index,
                                       bool retry_failed, GridWalk& walk);

/// The items of a list, one after the other: for a process by itself.
class ListSource final : public Source {
 public:
  /// All must outlive it.
  ListSource(const std::vector<WorkItem>& items, const SweepPlan& plan, const Index& index, bool retry_failed)
      : items_(items), plan_(plan), index_(index), retry_failed_(retry_failed) {}

  [[nodiscard]] std::optional<Assignment> next() override;
  void finished(const Assignment&, bool) override {}

  /// An item by its place in the list, once more.
  [[nodiscard]] Assignment at(std::size_t item) const;

  /// Items that next() has not given yet.
  [[nodiscard]] std::size_t left() const;

 private:
  const std::vector<WorkItem>& items_;
  const SweepPlan& plan_;
  const Index& index_;
  bool retry_failed_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace headroom::verify::sweep
