#include "bench/machine.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <new>

#include "bench/machine_kernels.hpp"

namespace headroom::bench {
namespace {

constexpr int runs = 11;
constexpr double run_seconds = 0.02;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

// Numbers in [1, 2), on a cache line's edge, in memory that the thread asking for it touches first.
template <class T>
std::unique_ptr<T[], Free> filled(std::size_t count) {
  constexpr std::size_t line = 64;
  T* const memory = static_cast<T*>(std::aligned_alloc(line, count * sizeof(T)));
  if (memory == nullptr) throw std::bad_alloc();
  for (std::size_t i = 0; i < count; ++i) memory[i] = static_cast<T>(1 + static_cast<double>(i % 97) / 97);
  return std::unique_ptr<T[], Free>(memory);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Units per second of `threads` threads that all call work(its own state) as often; the slowest of them counts.
// make() gives a thread its state, work does `units` of what is counted.
template <class Make, class Work>
double best_rate(int threads, double units, Make make, Work work) {
  std::size_t calls = 1;
  double best = 0;
#pragma omp parallel num_threads(threads)
  {
    const auto state = make();
    work(state);
    for (int run = 0; run < runs; ++run) {
#pragma omp barrier
      const auto start = std::chrono::steady_clock::now();
      for (std::size_t call = 0; call < calls; ++call) work(state);
#pragma omp barrier
      const double seconds = seconds_since(start);
#pragma omp single
      {
        best = std::max(best, units * static_cast<double>(calls) * threads / seconds);
        if (seconds < run_seconds) {
          calls = static_cast<std::size_t>(static_cast<double>(calls) * std::min(100.0, run_seconds / seconds)) + 1;
        }
      }
    }
  }
  return best;
}

// Written to, so that no sum may be left out.
thread_local volatile double sink = 0;

template <class T>
double fma_rate(int threads) {
  constexpr std::size_t count = 1 << 20;
  return best_rate(
      threads, count, [] { return static_cast<T>(1.5); },
      [](T start) { sink = static_cast<double>(fma_loop(start, count)); });
}

template <class T>
double sum_rate(int threads, T (*sum)(const T*, std::size_t)) {
  constexpr std::size_t count = 1024;
  return best_rate(
      threads, count, [] { return filled<T>(count); },
      [sum](const auto& x) { sink = static_cast<double>(sum(x.get(), count)); });
}

double copy_rate(int threads, std::size_t bytes, bool past_caches) {
  const std::size_t count = bytes / sizeof(double);
  return best_rate(
      threads, 2.0 * static_cast<double>(bytes), [&] { return filled<double>(2 * count); },
      [&](const auto& x) { copy(x.get(), x.get() + count, count, past_caches); });
}

}  // namespace

Machine::Machine() {
  for (int threads = 1; threads <= most_threads; ++threads) {
    auto& rates = rates_[static_cast<std::size_t>(threads - 1)];
    const auto set = [&](Limit limit, double rate) { rates[static_cast<std::size_t>(limit)] = rate; };
    set(Limit::fma64, fma_rate<double>(threads));
    set(Limit::fma32, fma_rate<float>(threads));
    set(Limit::div64, sum_rate<double>(threads, inverse_sum));
    set(Limit::sqrt64, sum_rate<double>(threads, sqrt_sum));
    set(Limit::sqrt32, sum_rate<float>(threads, sqrt_sum));
    set(Limit::exp64, sum_rate<double>(threads, exp_sum));
    set(Limit::exp32, sum_rate<float>(threads, exp_sum));
    set(Limit::copy_l1, copy_rate(threads, std::size_t{8} << 10U, false));
    set(Limit::copy_l2, copy_rate(threads, std::size_t{128} << 10U, false));
    set(Limit::copy_memory, copy_rate(threads, std::size_t{128} << 20U, true));
  }
}

const Machine& Machine::here() {
  static const Machine machine;
  return machine;
}

}  // namespace headroom::bench
