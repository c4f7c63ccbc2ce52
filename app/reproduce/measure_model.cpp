#include "app/reproduce/measure_model.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "app/interrupt.hpp"
#include "app/stopwatch.hpp"

namespace headroom::app {
namespace {

// Weights and raw logits of some rows of a head; the logits serve Algorithm 5 alone.
verify::StripSource strips(const model::Activations& activations, std::size_t layer, std::size_t head,
                           bool with_logits) {
  return [&activations, layer, head, with_logits](std::size_t first, std::size_t count, verify::StripMemory& memory) {
    const std::size_t tokens = activations.tokens();
    memory.weights.resize(count * tokens);
    const MatrixView<double> weights{memory.weights.data(), count, tokens};
    activations.weights(layer, head, first, weights);
    MatrixView<double> logits;
    if (with_logits) {
      memory.logits.resize(count * tokens);
      logits = {memory.logits.data(), count, tokens};
      activations.logits(layer, head, first, logits);
    }
    return HeadView{weights, logits, {}, activations.visibility(layer).slice(first, count)};
  };
}

// One forward pass and the records of all its heads at the given lengths.
std::vector<HeadRecord> measure_pass(const model::Activations& activations, const MeasureModelOptions& options,
                                     std::span<const std::size_t> lengths, Progress& progress) {
  std::optional<HeadRecorder> recorder;
  std::size_t recorded_dim = 0;
  HeadVectors vectors(activations, options.vectors, options.grids.seed,
                      [&](std::size_t rows, std::size_t tokens, std::size_t dim) {
                        if (!recorder || recorded_dim != dim) {
                          recorder.emplace(options.grids, options.choice, dim, options.precision);
                        }
                        recorded_dim = dim;
                        return recorder->embedding_options(rows, tokens, dim, options.normalize);
                      });
  verify::MeasureMemory memory;
  std::vector<HeadRecord> records;
  for (std::size_t layer = 0; layer < activations.layers(); ++layer) {
    for (std::size_t head = 0; head < activations.heads(layer); ++head) {
      const verify::Embeddings& embeddings = vectors.of(layer, head);
      const double temperature = 1 / activations.scale(layer);
      records.push_back(recorder->record(activations.visibility(layer),
                                         strips(activations, layer, head, options.choice.sensitivity), embeddings,
                                         layer, head, temperature, lengths, memory));
      progress.advance();
      if (interrupted()) throw Interrupted("no figure was complete, nothing was written");
    }
  }
  return records;
}

bool all_causal(const model::Transformer& transformer) {
  const auto& blocks = transformer.blocks();
  return std::all_of(blocks.begin(), blocks.end(), [](const model::AttentionBlock& block) { return block.causal; });
}

}  // namespace

std::size_t measured_heads(const model::Transformer& transformer, const Grids& grids) {
  std::size_t heads = 0;
  for (const model::AttentionBlock& block : transformer.blocks()) heads += block.heads;
  return heads * (all_causal(transformer) ? 1 : grids.lengths.size());
}

std::vector<HeadRecord> measure_model(const model::Transformer& transformer, std::span<const std::int64_t> ids,
                                      const MeasureModelOptions& options, StageSeconds& seconds, Progress& progress) {
  const bool causal = all_causal(transformer);
  const std::vector<std::size_t>& lengths = options.grids.lengths;
  std::vector<HeadRecord> records;
  for (std::size_t l = causal ? lengths.size() - 1 : 0; l < lengths.size(); ++l) {
    Stopwatch watch;
    const model::Activations activations = transformer.forward(ids.first(lengths[l]));
    seconds.forward += watch.lap();
    const bool whole = l + 1 == lengths.size();
    if (whole && options.look) options.look(activations);
    MeasureModelOptions pass = options;
    pass.choice.sensitivity = options.choice.sensitivity && whole;
    const std::span<const std::size_t> measured = causal ? std::span(lengths) : std::span(lengths).subspan(l, 1);
    std::vector<HeadRecord> at = measure_pass(activations, pass, measured, progress);
    seconds.measure += watch.lap();
    if (records.empty()) {
      records = std::move(at);
      continue;
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].at_length.push_back(std::move(at[i].at_length.front()));
      records[i].sensitivity = std::move(at[i].sensitivity);
    }
  }
  return records;
}

}  // namespace headroom::app
