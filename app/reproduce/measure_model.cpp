#include "app/reproduce/measure_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/interrupt.hpp"
#include "app/stopwatch.hpp"
#include "core/error.hpp"
#include "sim/hash.hpp"
#include "sim/random.hpp"

namespace headroom::app {
namespace {

MatrixView<const float> token_vectors(const model::Activations& activations, VectorKind kind, std::size_t layer,
                                      std::size_t head) {
  const MatrixView<const float> x = kind == VectorKind::hidden  ? activations.hidden(layer)
                                    : kind == VectorKind::value ? activations.values(layer, head)
                                                                : activations.embedding();
  if (x.empty()) {
    throw_input(fmt::format("the graph has no {} vectors", name(kind)), fmt::format("attention block {}", layer),
                "choose among those `headroom inspect` lists with --vectors");
  }
  return x;
}

std::vector<double> wide_vectors(MatrixView<const float> x, VectorKind kind, std::uint64_t seed) {
  std::vector<double> wide(x.rows * x.cols);
  if (kind == VectorKind::isotropic) {
    sim::Stream stream(seed, sim::hash64("reproduce/isotropic"), 0);
    sim::fill_sphere(stream, {wide.data(), x.rows, x.cols});
    return wide;
  }
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t k = 0; k < x.cols; ++k) wide[i * x.cols + k] = static_cast<double>(x(i, k));
  }
  return wide;
}

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
  const std::size_t tokens = activations.tokens();
  std::size_t heads = 0;
  for (std::size_t layer = 0; layer < activations.layers(); ++layer) heads += activations.heads(layer);
  std::unique_ptr<verify::Embeddings> embeddings;
  std::optional<HeadRecorder> recorder;
  verify::MeasureMemory memory;
  std::size_t dim = 0;
  std::vector<HeadRecord> records;
  for (std::size_t layer = 0; layer < activations.layers(); ++layer) {
    for (std::size_t head = 0; head < activations.heads(layer); ++head) {
      const bool fresh =
          options.vectors == VectorKind::value || !embeddings || (options.vectors == VectorKind::hidden && head == 0);
      if (fresh) {
        const MatrixView<const float> x = token_vectors(activations, options.vectors, layer, head);
        if (!recorder || dim != x.cols) recorder.emplace(options.grids, options.choice, x.cols, options.precision);
        dim = x.cols;
        const std::vector<double> wide = wide_vectors(x, options.vectors, options.grids.seed);
        const std::size_t sharing = options.vectors == VectorKind::value    ? 1
                                    : options.vectors == VectorKind::hidden ? activations.heads(layer)
                                                                            : heads;
        embeddings = std::make_unique<verify::Embeddings>(
            MatrixView<const double>(wide.data(), x.rows, x.cols),
            recorder->embedding_options(sharing * tokens, tokens, x.cols, options.normalize));
      }
      const double temperature = 1 / activations.scale(layer);
      records.push_back(recorder->record(activations.visibility(layer),
                                         strips(activations, layer, head, options.choice.sensitivity), *embeddings,
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

std::string name(VectorKind kind) {
  switch (kind) {
    case VectorKind::hidden:
      return "hidden";
    case VectorKind::value:
      return "value";
    case VectorKind::isotropic:
      return "isotropic";
    default:
      return "embedding";
  }
}

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
    MeasureModelOptions pass = options;
    pass.choice.sensitivity = options.choice.sensitivity && l + 1 == lengths.size();
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
