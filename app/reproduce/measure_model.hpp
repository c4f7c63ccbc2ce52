#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "app/head_vectors.hpp"
#include "app/progress.hpp"
#include "app/reproduce/grids.hpp"
#include "app/reproduce/head_record.hpp"
#include "model/transformer.hpp"

namespace headroom::app {

struct MeasureModelOptions {
  Grids grids;
  FigureChoice choice;
  VectorKind vectors = VectorKind::embedding;
  bool normalize = true;
  verify::Precision precision = verify::Precision::single;
  std::function<void(const model::Activations&)> look;  ///< is shown the pass over all tokens, when not empty
};

/// Seconds spent in the parts of a run.
struct StageSeconds {
  double forward = 0;
  double measure = 0;
};

/// Heads that measure_model() goes through for one window, as its progress counts them.
[[nodiscard]] std::size_t measured_heads(const model::Transformer& transformer, const Grids& grids);

/// Measures every head of the model on one window of tokens. A causal model takes one forward pass, the rows of every
/// shorter context being a prefix of the longest's; any other is run once per length. Attention matrices are made strip
/// by strip, never whole. Throws Error(input) when the graph lacks the vectors asked for, Interrupted after Ctrl-C.
[[nodiscard]] std::vector<HeadRecord> measure_model(const model::Transformer& transformer,
                                                    std::span<const std::int64_t> ids,
                                                    const MeasureModelOptions& options, StageSeconds& seconds,
                                                    Progress& progress);

}  // namespace headroom::app
