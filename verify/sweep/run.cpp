#include "verify/sweep/run.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <utility>

#include "core/parallel_failure.hpp"

namespace headroom::verify::sweep {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The groups of several records of a cell as one record.
Record joined(const std::vector<Record>& records, const std::vector<std::uint64_t>& groups) {
  Record all = records.front();
  all.groups.clear();
  for (const Record& record : records) {
    for (const GroupValues& group : record.groups) {
      if (std::find(groups.begin(), groups.end(), group.group) != groups.end()) all.groups.push_back(group);
    }
  }
  return all;
}

class Runner {
 public:
  Runner(const Grid& grid, const Kind& kind, Source& source, ShardWriter& writer, const RunOptions& options)
      : grid_(grid), kind_(kind), source_(source), writer_(writer), options_(options) {}

  RunOutcome run() {
    try {
      run_all();
    } catch (const WriteFailure& failure) {
      std::rethrow_exception(failure.cause);
    }
    outcome_.stopped = stopped();
    writer_.sync();
    return outcome_;
  }

 private:
  // Long cells first, each on all threads.
  void run_all() {
    GridWalk walk(grid_, kind_.keys(), kind_.grouped());
    std::optional<Assignment> next = source_.next();
    while (next && !stopped() && next->seconds >= options_.long_cell_seconds) {
      compute(*next, walk);
      next = source_.next();
    }
    if (next && !stopped()) run_short_cells(std::move(next));
    broken_.rethrow();
  }

  void run_short_cells(std::optional<Assignment> first) {
#pragma omp parallel
    {
      GridWalk walk(grid_, kind_.keys(), kind_.grouped());
      std::optional<Assignment> next;
#pragma omp critical(headroom_sweep_first)
      next.swap(first);
      broken_.guard([&] {
        if (!next) next = source_.next();
        while (next && !stopped() && !broken_.happened()) {
          compute(*next, walk);
          next = source_.next();
        }
      });
    }
  }

  [[nodiscard]] bool stopped() const {
    return stop_.load(std::memory_order_relaxed) || (options_.stop && options_.stop());
  }

  // Only what the writer throws leaves this: the trouble of a cell is written down.
  void compute(const Assignment& assignment, GridWalk& walk) {
    walk.move_to(assignment.point);
    Record failure;
    try {
      std::optional<Record> saved;
      if (!assignment.saved.empty()) saved = joined(assignment.saved, assignment.groups);
      const std::unique_ptr<CellWork> work =
          kind_.begin(walk.values(), assignment.groups, grid_.seed, saved ? &*saved : nullptr);
      work->expect(grid_.stopping.trials);
      const double left = static_cast<double>(grid_.stopping.trials - assignment.trials);
      if (advance(*work, assignment.seconds / left)) count(assignment, false);
      return;
    } catch (const WriteFailure&) {
      throw;
    } catch (const std::exception& error) {
      failure.failure = error.what();
    }
    failure.of = kind_.identify(walk.values(), assignment.groups).of;
    failure.seed = grid_.seed;
    failure.trials = assignment.trials;
    for (const std::uint64_t group : assignment.groups) failure.groups.push_back({group, {}});
    writer_.append(record_line(failure));
    {
      const std::scoped_lock lock(mutex_);
      if (outcome_.first_failure.empty()) outcome_.first_failure = failure.of + ": " + failure.failure;
    }
    if (options_.fail_fast) stop_.store(true);
    count(assignment, true);
  }

  /// Until every group is done; false when stopped before.
  bool advance(CellWork& work, double seconds_per_trial) {
    const Stopping& stopping = grid_.stopping;
    while (true) {
      const bool reached = run_to(work, stopping.next_stop(work.trials()), seconds_per_trial);
      Record record = work.record();
      if (!reached) {
        if (record.trials > 0) write(record);
        return false;
      }
      std::vector<std::uint64_t> done;
      Record leaving = record;
      leaving.groups.clear();
      for (const GroupValues& group : record.groups) {
        if (record.trials < stopping.trials && !precise(group)) continue;
        done.push_back(group.group);
        leaving.groups.push_back(group);
      }
      if (!done.empty()) write(leaving);
      if (done.size() == record.groups.size()) return true;
      if (!done.empty()) work.drop(done);
    }
  }

  [[nodiscard]] bool precise(const GroupValues& group) const {
    for (const auto& [name, moments] : group.values) {
      if (name == grid_.stopping.quantity) return moments.standard_error() <= grid_.stopping.standard_error;
    }
    return false;
  }

  // In portions of about a second, so that long cells are saved now and then.
  bool run_to(CellWork& work, std::uint64_t trials, double seconds_per_trial) {
    Clock::time_point saved = Clock::now();
    const auto least = static_cast<double>(work.grain());
    auto portion = static_cast<std::uint64_t>(std::clamp(0.5 / seconds_per_trial, least, 1e9));
    while (work.trials() < trials) {
      const Clock::time_point start = Clock::now();
      if (!work.run(std::min(work.trials() + portion, trials), [this] { return stopped(); })) return false;
      if (seconds_since(start) < 0.5) portion *= 2;
      if (seconds_since(saved) < options_.checkpoint_seconds || work.trials() >= trials) continue;
      write(work.record());
      saved = Clock::now();
    }
    return true;
  }

  struct WriteFailure : std::exception {
    explicit WriteFailure(std::exception_ptr why) : cause(std::move(why)) {}
    std::exception_ptr cause;
  };

  void write(const Record& record) {
    try {
      writer_.append(record_line(record));
    } catch (...) {
      throw WriteFailure(std::current_exception());
    }
  }

  void count(const Assignment& assignment, bool failed) {
    source_.finished(assignment, failed);
    const std::scoped_lock lock(mutex_);
    ++(failed ? outcome_.failed : outcome_.finished);
    seconds_ += assignment.seconds;
    if (options_.progress) options_.progress(outcome_.finished, outcome_.failed, seconds_);
  }

  const Grid& grid_;
  const Kind& kind_;
  Source& source_;
  ShardWriter& writer_;
  const RunOptions& options_;
  std::atomic<bool> stop_{false};
  ParallelFailure broken_;
  std::mutex mutex_;
  RunOutcome outcome_;
  double seconds_ = 0;
};

}  // namespace

RunOutcome run_sweep(const Grid& grid, const Kind& kind, Source& source, ShardWriter& writer,
                     const RunOptions& options) {
  return Runner(grid, kind, source, writer, options).run();
}

}  // namespace headroom::verify::sweep
