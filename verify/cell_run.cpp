#include "verify/cell_run.hpp"

#include <algorithm>
#include <atomic>

#include "core/parallel_failure.hpp"
#include "verify/cell_trial.hpp"

namespace headroom::verify {
namespace {

/// Trials measured between two visits to the sink: enough that threads seldom wait for each other, little enough to
/// hold in memory (a mebibyte of values) and to lose when a run is stopped (a few seconds' work).
std::uint64_t chunk_of(const Cell& cell) {
  const std::uint64_t by_memory = (std::uint64_t{1} << 17) / cell.plan().slots();
  const std::uint64_t by_time = (std::uint64_t{1} << 32) / (cell.parameters().length * cell.parameters().dim);
  return std::clamp<std::uint64_t>(std::min(by_memory, by_time), 64, 16384);
}

/// Trials a thread takes at once.
constexpr std::uint64_t portion = 16;

}  // namespace

std::uint64_t run_trials(const Cell& cell, std::uint64_t seed, TrialRange range, const TrialSink& sink,
                         const StopRequest& stop) {
  const std::size_t slots = cell.plan().slots();
  const std::unique_ptr<const theory::ResolutionLaw> law = law_of(cell);
  const std::uint64_t chunk = chunk_of(cell);
  std::vector<double> values(std::min(chunk, range.count) * slots);
  std::uint64_t handed_over = 0;
  ParallelFailure failure;
  std::atomic<bool> stopped{false};
  bool finished = false;  // the verdict of one thread on a chunk, so that all leave the loop together
#pragma omp parallel
  {
    CellTrial trial(cell, law.get());
    for (std::uint64_t begin = 0; begin < range.count; begin += chunk) {
      const std::uint64_t count = std::min(chunk, range.count - begin);
      const auto portions = static_cast<std::ptrdiff_t>((count + portion - 1) / portion);
#pragma omp for schedule(dynamic)
      for (std::ptrdiff_t p = 0; p < portions; ++p) {
        const std::uint64_t from = static_cast<std::uint64_t>(p) * portion;
        failure.guard([&] {
          for (std::uint64_t t = from; t < std::min(count, from + portion); ++t) {
            if (failure.happened() || stopped.load(std::memory_order_relaxed)) break;
            if (stop && stop()) stopped.store(true, std::memory_order_relaxed);
            trial.measure(seed, range.first + begin + t, {values.data() + t * slots, slots});
          }
        });
      }
#pragma omp single
      {
        if (!stopped) {
          failure.guard([&] {
            for (std::uint64_t t = 0; t < count; ++t, ++handed_over) {
              sink(range.first + begin + t, {values.data() + t * slots, slots});
            }
          });
        }
        finished = failure.happened() || stopped;
      }
      if (finished) break;
    }
  }
  failure.rethrow();
  return handed_over;
}

bool CellMeans::run(const Cell& cell, std::uint64_t seed, std::uint64_t count, const StopRequest& stop) {
  const TrialRange range{trials(), count};
  const std::uint64_t done = run_trials(
      cell, seed, range,
      [this](std::uint64_t, std::span<const double> values) {
        for (std::size_t s = 0; s < values.size(); ++s) slots_[s].add(values[s]);
      },
      stop);
  return done == count;
}

}  // namespace headroom::verify
