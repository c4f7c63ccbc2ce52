// Softmax in float32: rows within the cache beside libtorch and oneDNN, arrays beyond it beside STREAM's copy.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "bench/normalizer_subjects.hpp"
#include "bench/peer.hpp"
#include "sim/row_normalizer.hpp"

namespace headroom::bench {
namespace {

// An exponential: two operations to reduce the argument, six for the polynomial, one for the power of two; then the
// largest, the sum and the factor.
const Work per_token{{Limit::fma32, 12}, {Limit::copy_l1, 2 * sizeof(float)}};

void normalize(const sim::RowNormalizer<float>& softmax, float* logits, float* weights, std::size_t rows,
               std::size_t n) {
  softmax.weights({logits, rows, n}, Visibility::all(rows, n), 1, {weights, rows, n});
}

void in_cache(benchmark::State& state, int threads, std::size_t n, const std::string& side) {
  constexpr std::size_t tokens = std::size_t{1} << 16U;  // with the weights half a megabyte: within L2
  const std::size_t rows = tokens / n;
  std::vector<float> logits = gaussian_logits(tokens);
  std::vector<float> weights(tokens), ours(tokens);
  const sim::RowNormalizer<float> softmax("softmax");
  normalize(softmax, logits.data(), ours.data(), rows, n);
  std::function<void()> run = [&] { normalize(softmax, logits.data(), weights.data(), rows, n); };
#ifdef HEADROOM_WITH_TORCH
  if (side == "torch") run = torch_softmax(logits.data(), weights.data(), rows, n, threads).front().run;
#endif
#ifdef HEADROOM_WITH_ONEDNN
  if (side == "onednn") run = onednn_softmax(logits.data(), weights.data(), rows, n, threads).front().run;
#endif
  run();
  require_same_weights(side, weights, ours, 1e-6);
  time_items(state, per_token.times(tokens), threads, tokens, run);
}

/// Twice: the arrays of the memory subjects are too large to make anew for every repetition.
struct Arrays {
  std::vector<float> a, b;
};
const std::shared_ptr<Arrays>& arrays() {
  static const std::shared_ptr<Arrays> made = [] {
    constexpr std::size_t row = 1024;
    const long cache = std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), 32L << 20U);
    const std::size_t count = 4 * static_cast<std::size_t>(cache) / sizeof(float) / row * row;
    auto arrays = std::make_shared<Arrays>();
    arrays->a = gaussian_logits(count);
    arrays->b.assign(count, 0);
    return arrays;
  }();
  return made;
}

enum class Side { copy, in_place, out_of_place, one_row };

void beyond_cache(benchmark::State& state, int threads, Side side) {
  Arrays& x = *arrays();
  const std::size_t count = x.a.size();
  const sim::RowNormalizer<float> softmax("softmax");
  const std::size_t n = side == Side::one_row ? count / 2 : 1024;  // two rows, one for each thread
  const double bytes_per_token = (side == Side::one_row ? 3 : 2) * sizeof(float);
  const Work work = Work{{Limit::copy_memory, bytes_per_token}}.times(static_cast<double>(count));
  float* const to = side == Side::out_of_place ? x.b.data() : x.a.data();
  const auto run = [&] {
    if (side == Side::copy) {
      stream_copy(x.a.data(), x.b.data(), count);
    } else {
      normalize(softmax, x.a.data(), to, count / n, n);
    }
  };
  // Bytes are the items: what the algorithm must move.
  time_items(state, work, threads, bytes_per_token * static_cast<double>(count), run);
}

}  // namespace

void add_softmax() {
  std::vector<std::string> sides = {"headroom"};
#ifdef HEADROOM_WITH_TORCH
  sides.emplace_back("torch");
#endif
#ifdef HEADROOM_WITH_ONEDNN
  sides.emplace_back("onednn");
#endif
  for (const std::size_t n : {64, 1024, 16384}) {
    for (const std::string& side : sides) {
      add_benchmark(fmt::format("softmax/n:{}/{}", n, side), {1, 2},
                    [n, side](benchmark::State& state, int threads) { in_cache(state, threads, n, side); });
    }
  }
  const std::pair<const char*, Side> memory_sides[] = {{"stream-copy", Side::copy},
                                                       {"headroom-in-place", Side::in_place},
                                                       {"headroom-out-of-place", Side::out_of_place},
                                                       {"headroom-one-row-a-thread", Side::one_row}};
  for (const auto& [name, side] : memory_sides) {
    add_benchmark(fmt::format("softmax/memory/{}", name), {1, 2},
                  [side = side](benchmark::State& state, int threads) { beyond_cache(state, threads, side); });
  }
}

}  // namespace headroom::bench
