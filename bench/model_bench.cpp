// Loading the bundled model and running it over the first 1,024 tokens of Moby-Dick.
#include <cmath>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "app/bundled.hpp"
#include "app/model_folder.hpp"
#include "bench/bundled_window.hpp"
#include "bench/subjects.hpp"
#include "bench/work.hpp"

namespace headroom::bench {
namespace {

constexpr std::size_t length = 1024;

std::filesystem::path onnx() { return app::onnx_path(app::bundled_model()); }

void check(const model::Transformer& transformer) {
  if (transformer.blocks().size() != 12) throw std::runtime_error("the bundled model has not 12 blocks");
  for (const model::AttentionBlock& block : transformer.blocks()) {
    if (block.heads != 12 || !block.causal) throw std::runtime_error("a block has not 12 causal heads");
  }
}

// The file is read once; what else loading does (parsing, finding the attention, a short prompt run as a check) has no
// count worth the name.
void load(benchmark::State& state, int threads) {
  check(model::Transformer::load(onnx(), threads));
  const Work work{{Limit::copy_memory, static_cast<double>(std::filesystem::file_size(onnx()))}};
  time_work(state, work, threads, [&] { return model::Transformer::load(onnx(), threads).blocks().size(); });
}

// What a GPT-2 of this width computes up to the weights of its last block: per block 12·w² products a token (queries,
// keys, values, projection, the two matrices of the MLP) and 2·w a pair of tokens, all pairs, as the graph masks after
// the product; an exponential per head and visible pair, one per unit of the MLP.
Work one_pass(const model::Activations& activations) {
  const double tokens = static_cast<double>(activations.tokens());
  const double width = static_cast<double>(activations.embedding().cols);
  const double layers = static_cast<double>(activations.layers());
  const double heads = static_cast<double>(activations.heads(0));
  const double block = 12 * width * width * tokens + 2 * width * tokens * tokens;
  const double last = 3 * width * width * tokens + width * tokens * tokens;
  const double exponentials = layers * heads * tokens * (tokens + 1) / 2 + (layers - 1) * 4 * width * tokens;
  const double parameters = layers * 12 * width * width;
  const double kept = layers * 4 * width * tokens;
  return {{Limit::fma32, (layers - 1) * block + last},
          {Limit::exp32, exponentials},
          {Limit::copy_memory, 4 * (parameters + kept)}};
}

void forward(benchmark::State& state, int threads) {
  const app::ModelFolder model = app::ModelFolder::open(app::bundled_model(), threads);
  const std::vector<std::int64_t> window = bundled_window(model.tokenizer, length);
  const model::Activations activations = model.transformer.forward(window);
  std::vector<double> row(length);
  for (std::size_t layer = 0; layer < activations.layers(); ++layer) {
    activations.weights(layer, 0, length - 1, {row.data(), 1, length});
    require_close("the sum of a row's weights", std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-12);
  }
  time_work(state, one_pass(activations), threads, [&] { return model.transformer.forward(window).tokens(); });
}

}  // namespace

void add_model() {
  add_benchmark("graph/load", {1, 2}, load);
  add_benchmark("graph/forward/L:1024", {1, 2}, forward);
}

}  // namespace headroom::bench
