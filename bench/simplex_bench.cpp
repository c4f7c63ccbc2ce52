// Sparsemax and entmax 1.5 in float32 beside their published algorithms on libtorch tensors.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/normalizer_subjects.hpp"
#include "bench/peer.hpp"
#include "sim/row_normalizer.hpp"

namespace headroom::bench {
namespace {

constexpr std::size_t n = 1024;
constexpr std::size_t rows = 256;
constexpr std::size_t tokens = rows * n;

// The largest, the comparison with the cut, the weight; what is done to the few candidates is not counted.
const Work per_token{{Limit::fma32, 3}, {Limit::copy_l1, 2 * sizeof(float)}};

void run_side(benchmark::State& state, int threads, const std::string& spec, const std::string& side) {
  const Threads set(threads);
  PageArray<float> logits = gaussian_logits(tokens);
  PageArray<float> weights(tokens), ours(tokens);
  const Visibility all = Visibility::all(rows, n);
  const sim::RowNormalizer<float> normalizer(spec);
  const auto normalize = [&](PageArray<float>& to) {
    normalizer.weights({logits.data(), rows, n}, all, 1, {to.data(), rows, n});
  };
  normalize(ours);
  std::function<void()> run = [&] { normalize(weights); };
#ifdef HEADROOM_WITH_TORCH
  const auto peers = spec == "sparsemax" ? torch_sparsemax : torch_entmax15;
  for (const Peer& peer : peers(logits.data(), weights.data(), rows, n, threads)) {
    if (peer.name == side) run = peer.run;
  }
#endif
  run();
  require_same_weights(side, weights, ours, 2e-6);
  time_items(state, per_token.times(tokens), threads, tokens, run);
}

}  // namespace

void add_simplex() {
  std::vector<std::string> sides = {"headroom"};
#ifdef HEADROOM_WITH_TORCH
  sides.insert(sides.end(), {"torch-sort", "torch-bisection"});
#endif
  for (const std::string spec : {"sparsemax", "entmax"}) {
    for (const std::string& side : sides) {
      add_benchmark(fmt::format("{}/n:{}/{}", spec == "entmax" ? "entmax15" : spec, n, side), {1, 2},
                    [spec, side](benchmark::State& state, int threads) { run_side(state, threads, spec, side); });
    }
  }
}

}  // namespace headroom::bench
