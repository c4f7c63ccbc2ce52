#pragma once

#include "core/matrix_view.hpp"
#include "core/visibility.hpp"

namespace headroom {

/// One attention head, wherever it comes from: a sampler, a model or a file.
///
/// weights: (queries × tokens), non-negative unless the normalizer says otherwise; entries of tokens a query does not
/// see are never read. logits: the raw inner products q·k of the same shape, or empty. vectors: (tokens × d), the
/// embeddings x_i of the theory.
struct HeadView {
  MatrixView<const double> weights;
  MatrixView<const double> logits;
  MatrixView<const double> vectors;
  Visibility visibility;
};

}  // namespace headroom
