// Softmax in float32: rows within the cache beside libtorch and oneDNN, arrays beyond it beside STREAM's copy.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bench/normalizer_subjects.hpp"
#include "bench/peer.hpp"
#include "sim/row_normalizer.hpp"

namespace headroom::bench {
namespace {

// An exponential: two operations to reduce the argument, six for the polynomial, one for the power of two; then the
// largest, the sum and the factor.
const Work per_token{{Limit::fma32, 12}, {Limit::copy_l1, 2 * sizeof(float)}};

/// Rows of n tokens that are all seen.
class Rows {
 public:
  Rows(std::size_t rows, std::size_t n) : rows_(rows), n_(n), visibility_(Visibility::all(rows, n)) {}
  void normalize(const float* logits, float* weights) const {
    softmax_.weights({logits, rows_, n_}, visibility_, 1, {weights, rows_, n_});
  }

 private:
  std::size_t rows_;
  std::size_t n_;
  Visibility visibility_;
  sim::RowNormalizer<float> softmax_{"softmax"};
};

void in_cache(benchmark::State& state, int threads, std::size_t n, const std::string& side) {
  // With their weights half a megabyte for each thread: within its L2.
  const std::size_t tokens = static_cast<std::size_t>(threads) << 16U;
  const std::size_t rows = tokens / n;
  const Threads set(threads);  // a peer may count them when it is made
  PageArray<float> logits = gaussian_logits(tokens);
  PageArray<float> weights(tokens), ours(tokens);
  const Rows all(rows, n);
  all.normalize(logits.data(), ours.data());
  std::function<void()> run = [&] { all.normalize(logits.data(), weights.data()); };
#ifdef HEADROOM_WITH_TORCH
  if (side == "torch") run = torch_softmax(logits.data(), weights.data(), rows, n, threads).front().run;
#endif
#ifdef HEADROOM_WITH_ONEDNN
  if (side == "onednn") run = onednn_softmax(logits.data(), weights.data(), rows, n, threads).front().run;
#endif
  run();
  require_same_weights(side, weights, ours, 1e-6);
  time_items(state, per_token.times(static_cast<double>(tokens)), threads, static_cast<double>(tokens), run);
}

/// Twice: the arrays of the memory subjects are too large to make anew for every repetition.
struct Arrays {
  PageArray<float> a, b;
};
Arrays& arrays() {
  static Arrays made = [] {
    constexpr std::size_t row = 1024;
    const long cache = std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), 32L << 20U);
    const std::size_t count = 4 * static_cast<std::size_t>(cache) / sizeof(float) / row * row;
    Arrays x = {gaussian_logits(count), PageArray<float>(count)};
    stream_copy(x.a.data(), x.b.data(), count);
    return x;
  }();
  return made;
}

enum class Side { copy, in_place, out_of_place, one_row };

void beyond_cache(benchmark::State& state, int threads, Side side) {
  Arrays& x = arrays();
  const std::size_t count = x.a.size();
  const std::size_t n = side == Side::one_row ? count / 2 : 1024;  // two rows, one for each thread
  const double bytes_per_token = (side == Side::one_row ? 3 : 2) * sizeof(float);
  const Work work = Work{{Limit::copy_memory, bytes_per_token}}.times(static_cast<double>(count));
  float* const to = side == Side::out_of_place ? x.b.data() : x.a.data();
  const Rows all(count / n, n);
  const auto run = [&] {
    if (side == Side::copy) {
      stream_copy(x.a.data(), x.b.data(), count);
    } else {
      all.normalize(x.a.data(), to);
    }
  };
  // Bytes are the items: what the algorithm must move. What a store reads of its line first is not counted, for the
  // copy as little as for softmax.
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
