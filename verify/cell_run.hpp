#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "verify/cell.hpp"
#include "verify/statistics/intervals.hpp"
#include "verify/statistics/moments.hpp"

namespace headroom::verify {

/// Trials first, first + 1, …, first + count − 1 of a cell.
struct TrialRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Whether a run should end early; called often and from several threads. Empty: never.
using StopRequest = std::function<bool()>;

/// Takes the values of one trial, in the layout of the cell's plan; called in increasing order of the trial, by one
/// thread at a time.
using TrialSink = std::function<void(std::uint64_t trial, std::span<const double> values)>;

/// Draws and measures trials on all threads of OpenMP and hands them to `sink` in order, so that whatever it does gives
/// the same bytes for any number of threads. A trial that was begun when `stop` first says yes, and those after it, may
/// be left out. Returns how many were handed over: the first so many of the range.
std::uint64_t run_trials(const Cell& cell, std::uint64_t seed, TrialRange range, const TrialSink& sink,
                         const StopRequest& stop = {});

/// Means over the trials of a cell. The trials are added one by one in order, so a cell that is topped up ends in the
/// bytes of one that was run in one go.
class CellMeans {
 public:
  /// Of no trial yet.
  explicit CellMeans(const Cell& cell) : slots_(cell.plan().slots()) {}

  /// Runs the next `count` trials. Returns false when `stop` ended that early; what was finished is counted.
  bool run(const Cell& cell, std::uint64_t seed, std::uint64_t count, const StopRequest& stop = {});

  [[nodiscard]] std::uint64_t trials() const { return slots_.empty() ? 0 : slots_.front().count; }

  /// Of one quantity at one N, which stands at `request` in the cell's plan and asks for it.
  [[nodiscard]] const Moments& of(const Cell& cell, std::size_t request, Quantity quantity) const {
    return slots_[cell.plan().slot(request, quantity)];
  }

  /// In the layout of the plan: to be saved, and put back.
  [[nodiscard]] std::span<const Moments> slots() const { return slots_; }
  [[nodiscard]] std::span<Moments> slots() { return slots_; }

 private:
  std::vector<Moments> slots_;
};

}  // namespace headroom::verify
