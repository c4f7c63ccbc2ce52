#include <fmt/format.h>
#include <omp.h>

#include "app/duration.hpp"
#include "app/json.hpp"
#include "app/sweep/estimate.hpp"
#include "app/sweep/opened.hpp"
#include "app/sweep/results.hpp"

namespace headroom::app {
namespace {

struct Status {
  std::unique_ptr<const OpenedSweep> sweep;
  verify::sweep::Counts counts;
  std::vector<verify::sweep::Holder> holders;
  double seconds_left = 0;  // on this machine
  [[nodiscard]] bool running() const {
    for (const verify::sweep::Holder& holder : holders) {
      if (holder.alive) return true;
    }
    return false;
  }
};

Status status_of(const std::string& folder) {
  Status status;
  status.sweep = open_sweep(folder);
  const verify::sweep::SweepPlan& plan = *status.sweep->plan;
  status.counts = plan.count(status.sweep->index);
  status.holders = verify::sweep::FolderLock::holders(folder);
  if (!status.running()) {
    const std::vector<verify::sweep::WorkItem> items = plan.left(status.sweep->index, {}, false);
    status.seconds_left = measured_seconds(plan, items, 0.1) / omp_get_max_threads();
  }
  return status;
}

}  // namespace

std::string status_text(const std::string& folder) {
  const Status status = status_of(folder);
  const verify::sweep::Counts& counts = status.counts;
  std::string text = fmt::format("{} cells: {} done, {} begun, {} missing, {} failed\n", counts.total(), counts.done,
                                 counts.partial, counts.missing, counts.failed);
  for (const verify::sweep::Holder& holder : status.holders) {
    text += fmt::format("{}: process {} on {} since {}{}{}\n", holder.alive ? "running" : "ended early", holder.pid,
                        holder.host, holder.started, holder.progress.empty() ? "" : ", ", holder.progress);
  }
  if (!status.running() && counts.partial + counts.missing > 0) {
    text += fmt::format("not running; about {} left on the {} threads here\n", duration_text(status.seconds_left),
                        omp_get_max_threads());
  }
  for (const verify::sweep::Index::Failure& failure : status.sweep->index.failures()) {
    text += fmt::format("failed: {}: {}\n", failure.of, failure.why);
  }
  return text;
}

std::string status_json(const std::string& folder) {
  const Status status = status_of(folder);
  Json running = Json::array();
  for (const verify::sweep::Holder& holder : status.holders) {
    if (!holder.alive) continue;
    running.push_back(
        {{"host", holder.host}, {"pid", holder.pid}, {"since", holder.started}, {"progress", holder.progress}});
  }
  Json failures = Json::array();
  for (const verify::sweep::Index::Failure& failure : status.sweep->index.failures()) {
    failures.push_back({{"cell", failure.of}, {"why", failure.why}});
  }
  const verify::sweep::Counts& counts = status.counts;
  const Json json = {{"schema", "headroom.status/1"},
                     {"cells", counts.total()},
                     {"done", counts.done},
                     {"begun", counts.partial},
                     {"missing", counts.missing},
                     {"failed", counts.failed},
                     {"seconds_left", status.running() ? Json() : Json(status.seconds_left)},
                     {"running", running},
                     {"failures", failures},
                     {"damages", status.sweep->index.damages()}};
  return json.dump(1) + "\n";
}

}  // namespace headroom::app
