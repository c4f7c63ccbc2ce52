#include "bench/work.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <exception>
#include <stdexcept>
#include <vector>

#include "bench/spread.hpp"

namespace headroom::bench {

Work::Work(std::initializer_list<std::pair<Limit, double>> amounts) {
  for (const auto& [limit, amount] : amounts) amount_[static_cast<std::size_t>(limit)] += amount;
}

Work Work::times(double count) const {
  Work result = *this;
  for (double& amount : result.amount_) amount *= count;
  return result;
}

double Work::operations() const {
  double sum = 0;
  for (std::size_t k = 0; k < limit_count; ++k) sum += counts_bytes(static_cast<Limit>(k)) ? 0 : amount_[k];
  return sum;
}

double Work::bytes() const {
  double sum = 0;
  for (std::size_t k = 0; k < limit_count; ++k) sum += counts_bytes(static_cast<Limit>(k)) ? amount_[k] : 0;
  return sum;
}

Work::Bound Work::bound(int threads) const {
  Bound bound{0, Limit::fma64};
  for (std::size_t k = 0; k < limit_count; ++k) {
    const auto limit = static_cast<Limit>(k);
    const double seconds = amount_[k] / Machine::here().rate(limit, threads);
    if (seconds > bound.seconds) bound = {seconds, limit};
  }
  return bound;
}

Threads::Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
Threads::~Threads() { omp_set_num_threads(before_); }

void report(benchmark::State& state, const Work& work, int threads, double seconds) {
  constexpr auto rate = benchmark::Counter::kIsIterationInvariantRate;
  const Work::Bound bound = work.bound(threads);
  if (work.operations() > 0) state.counters["ops"] = benchmark::Counter(work.operations(), rate);
  if (work.bytes() > 0) state.counters["bytes"] = benchmark::Counter(work.bytes(), rate);
  state.counters["of_limit"] = bound.seconds * static_cast<double>(state.iterations()) / seconds;
  state.SetLabel(std::string(name(bound.limit)));
}

double gain_by_threads(int threads, const std::function<void()>& run) {
  constexpr double seconds_in_all = 0.5;
  constexpr std::size_t least_pairs = 5;
  constexpr std::size_t most_pairs = 25;
  using Clock = std::chrono::steady_clock;
  const auto seconds = [&run](int count) {
    const Threads set(count);
    const Clock::time_point start = Clock::now();
    run();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::vector<double> one;
  std::vector<double> several;
  double spent = seconds(1) + seconds(threads);
  while (one.size() < least_pairs || (spent < seconds_in_all && one.size() < most_pairs)) {
    one.push_back(seconds(1));
    several.push_back(seconds(threads));
    spent += one.back() + several.back();
  }
  return ratio(one, several).median;
}

void add_benchmark(const std::string& name, std::initializer_list<int> thread_counts, const Function& function) {
  for (const int threads : thread_counts) {
    const auto run = [function, threads](benchmark::State& state) {
      try {
        function(state, threads);
      } catch (const std::exception& error) {
        state.SkipWithError(error.what());
      }
    };
    benchmark::RegisterBenchmark(fmt::format("{}/threads:{}", name, threads).c_str(), run)
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
  }
}

int run_benchmarks(int argc, char* argv[], const std::function<void()>& add) {
  std::string interleaved = "--benchmark_enable_random_interleaving=true";
  std::string repeated = "--benchmark_repetitions=7";
  std::vector<char*> arguments = {argv[0], interleaved.data(), repeated.data()};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  add();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

void require_close(const std::string& what, double value, double expected, double tolerance) {
  if (std::abs(value - expected) <= tolerance * std::abs(expected)) return;
  throw std::runtime_error(fmt::format("{} is {}, not {}", what, value, expected));
}

}  // namespace headroom::bench
