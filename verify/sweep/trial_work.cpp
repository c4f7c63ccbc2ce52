#include "verify/sweep/trial_work.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/parallel_failure.hpp"
#include "sim/hash.hpp"

namespace headroom::verify::sweep {
namespace {

// Trials between two visits to the sums.
constexpr std::uint64_t wave_size = 1024;

}  // namespace

TrialWork::TrialWork(TrialCell cell, std::uint64_t seed, const Record* saved)
    : cell_(std::move(cell)), seed_(seed), key_(sim::hash64(cell_.of)), moments_(cell_.quantities.size()) {
  if (saved == nullptr) return;
  trials_ = saved->trials;
  for (const auto& [name, moments] : saved->groups.front().values) {
    const auto at = std::find(cell_.quantities.begin(), cell_.quantities.end(), name);
    if (at != cell_.quantities.end()) moments_[static_cast<std::size_t>(at - cell_.quantities.begin())] = moments;
  }
}

bool TrialWork::run(std::uint64_t trials, const StopRequest& stop) {
  const std::size_t width = cell_.quantities.size();
  std::vector<std::optional<double>> values;
  std::vector<char> finished;
  while (trials_ < trials) {
    const std::uint64_t count = std::min(trials - trials_, wave_size);
    values.assign(count * width, std::nullopt);
    finished.assign(count, 0);
    ParallelFailure failure;
    std::atomic<bool> stopped{false};
#pragma omp parallel
    {
      TrialCell::Trial trial;
      failure.guard([&] { trial = cell_.make_trial(); });
#pragma omp for schedule(dynamic)
      for (std::int64_t t = 0; t < static_cast<std::int64_t>(count); ++t) {
        if (stopped.load(std::memory_order_relaxed) || failure.happened()) continue;
        failure.guard([&] {
          if (stop && stop()) return stopped.store(true, std::memory_order_relaxed);
          const auto at = static_cast<std::size_t>(t);
          sim::Stream stream(seed_, key_, trials_ + at);
          trial(stream, std::span(values).subspan(at * width, width));
          finished[at] = 1;
        });
      }
    }
    failure.rethrow();
    for (std::size_t t = 0; t < count; ++t) {
      // Trials are added in their order, so what was finished behind a gap does not count.
      if (finished[t] == 0) return false;
      for (std::size_t k = 0; k < width; ++k) {
        if (const std::optional<double>& value = values[t * width + k]) moments_[k].add(*value);
      }
      ++trials_;
    }
  }
  return true;
}

Record TrialWork::record() const {
  Record record;
  record.of = cell_.of;
  record.seed = seed_;
  record.trials = trials_;
  GroupValues& group = record.groups.emplace_back();
  for (std::size_t k = 0; k < moments_.size(); ++k) {
    if (moments_[k].count > 0) group.values.emplace_back(cell_.quantities[k], moments_[k]);
  }
  return record;
}

}  // namespace headroom::verify::sweep
