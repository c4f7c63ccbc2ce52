#include "app/sweep/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>

#include "app/interrupt.hpp"
#include "app/stopwatch.hpp"
#include "core/parallel_failure.hpp"

namespace headroom::app {
namespace {

using verify::sweep::SweepPlan;
using verify::sweep::WorkItem;

struct Trial {
  double estimate = 0;  // the plan's seconds
  double ratio = 1;     // measured over estimated, on one core
};

// Seconds per trial on one thread, whatever the caller may use.
double seconds_per_trial(const SweepPlan& plan, const WorkItem& item, double budget) {
  verify::sweep::GridWalk walk = plan.walk();
  walk.move_to(item.point);
  double seconds = 0;
  std::uint64_t trials = 0;
  ParallelFailure failure;
#pragma omp parallel num_threads(2)
  {
    // Within a parallel region a cell runs on the calling thread alone.
#pragma omp single
    failure.guard([&] {
      Stopwatch watch;
      const auto work = plan.kind().begin(walk.values(), walk.groups(), plan.grid().seed, nullptr);
      std::uint64_t portion = 1;
      while (seconds < budget && trials < plan.grid().stopping.trials) {
        trials = std::min(trials + portion, plan.grid().stopping.trials);
        if (!work->run(trials, interrupted)) break;
        seconds += watch.lap();
        portion *= 2;
      }
    });
  }
  failure.rethrow();
  if (interrupted()) throw Interrupted("nothing was computed");
  return seconds / static_cast<double>(trials);
}

}  // namespace

double measured_seconds(const SweepPlan& plan, const std::vector<WorkItem>& items, double budget) {
  if (items.empty()) return 0;
  constexpr std::size_t tries = 5;
  std::vector<Trial> tried;  // ascending
  const auto trials = static_cast<double>(plan.grid().stopping.trials);
  for (std::size_t k = tries; k-- > 0;) {
    const WorkItem& item = items[k * (items.size() - 1) / (tries - 1)];
    const double estimate = item.seconds / (trials - static_cast<double>(item.start));
    if (!tried.empty() && tried.back().estimate == item.seconds) continue;
    // Where a single trial would take longer, the smaller items have to do.
    if (!tried.empty() && tried.back().ratio * estimate > tries * budget) break;
    try {
      tried.push_back({item.seconds, seconds_per_trial(plan, item, budget) / estimate});
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception&) {
      continue;  // as a sweep puts such a cell down as failed and goes on
    }
  }
  if (tried.empty()) return 0;
  std::reverse(tried.begin(), tried.end());  // as the items are
  double sum = 0;
  std::size_t at = 0;
  for (const WorkItem& item : items) {
    while (at + 2 < tried.size() && item.seconds < tried[at + 1].estimate) ++at;
    double ratio = tried[at].ratio;
    if (at + 1 < tried.size()) {
      const double whole = std::log(tried[at].estimate / tried[at + 1].estimate);
      const double share = std::clamp(std::log(tried[at].estimate / item.seconds) / whole, 0.0, 1.0);
      ratio = std::exp((1 - share) * std::log(tried[at].ratio) + share * std::log(tried[at + 1].ratio));
    }
    sum += item.seconds * ratio;
  }
  return sum;
}

}  // namespace headroom::app
