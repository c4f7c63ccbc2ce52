#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "bench/work.hpp"
#include "core/page_array.hpp"

namespace headroom::bench {

/// Each adds the benchmarks of one subject: name/SIDE/threads:K, items per second being comparable between sides.
void add_softmax();
void add_simplex();
void add_random();
void add_jacobian();

/// Times `run`, which treats so many items, and reports their rate beside the fraction of the limit.
inline void time_items(benchmark::State& state, const Work& work, int threads, double items,
                       const std::function<void()>& run) {
  time_work(state, work, threads, [&] {
    run();
    return 0;
  });
  state.SetItemsProcessed(static_cast<std::int64_t>(items * static_cast<double>(state.iterations())));
}

/// Throws std::runtime_error naming the side unless its weights are within `tolerance` of ours at every token.
void require_same_weights(const std::string& side, const PageArray<float>& weights, const PageArray<float>& ours,
                          double tolerance);

/// Gaussian logits of standard deviation 2, on a cache line's edge as tensors are.
PageArray<float> gaussian_logits(std::size_t count);

/// b ← a of so many floats by all threads, as the STREAM benchmark does.
void stream_copy(const float* a, float* b, std::size_t count);

}  // namespace headroom::bench
