#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>

#include "bench/machine.hpp"

namespace headroom::bench {

/// What one call has to do: how many operations of which kind, how many bytes to or from which level. It counts what
/// the task asks for, not what the code happens to do, so that the fraction of the limit means the same after a change.
class Work {
 public:
  Work(std::initializer_list<std::pair<Limit, double>> amounts);

  /// The same, done so many times.
  [[nodiscard]] Work times(double count) const;

  [[nodiscard]] double operations() const;
  [[nodiscard]] double bytes() const;

  /// The least time in which `threads` threads of this machine could do it, if everything overlapped.
  struct Bound {
    double seconds;
    Limit limit;  ///< what takes that long
  };
  [[nodiscard]] Bound bound(int threads) const;

 private:
  std::array<double, limit_count> amount_{};
};

/// Sets the number of OpenMP threads while it lives.
class Threads {
 public:
  explicit Threads(int count);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

/// Adds the counters every benchmark has: `ops` and `bytes` per second, where there are any, and `of_limit`, the
/// fraction of the binding rate, which the label names. `seconds` is what all iterations took.
void report(benchmark::State& state, const Work& work, int threads, double seconds);

/// Times `run`, whose result is kept from being optimised away, on so many threads.
template <class Run>
void time_work(benchmark::State& state, const Work& work, int threads, Run run) {
  const Threads set(threads);
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) benchmark::DoNotOptimize(run());
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  report(state, work, threads, taken.count());
}

/// How many times as fast `run` is on so many OpenMP threads as on one: the two in turn, so that a machine whose speed
/// drifts is as fast for both, and the median of the ratios.
[[nodiscard]] double gain_by_threads(int threads, const std::function<void()>& run);

/// time_work for what runs on OpenMP's threads; on several it adds the counter `over_one`, the gain over one.
template <class Run>
void time_parallel(benchmark::State& state, const Work& work, int threads, Run run) {
  time_work(state, work, threads, run);
  if (threads == 1) return;
  state.counters["over_one"] = gain_by_threads(threads, [&] { benchmark::DoNotOptimize(run()); });
}

/// Registers name/threads:1 and name/threads:2 of function(state, threads), or one of them only where the code is
/// serial. What the function throws becomes the benchmark's error.
using Function = std::function<void(benchmark::State& state, int threads)>;
void add_benchmark(const std::string& name, std::initializer_list<int> thread_counts, const Function& function);

/// main() of a program of benchmarks: `add` registers them once the options are read. Repetitions of all of them run in
/// random order: what else the machine does meets all alike. Options given come later and win. Returns the exit status.
int run_benchmarks(int argc, char* argv[], const std::function<void()>& add);

/// Throws std::runtime_error naming `what` unless |value − expected| ≤ tolerance·|expected|: nothing is timed whose
/// answer is wrong.
void require_close(const std::string& what, double value, double expected, double tolerance);

}  // namespace headroom::bench
