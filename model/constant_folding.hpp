#pragma once

#include "model/graph.hpp"

namespace headroom::model {

/// Whether ONNX Runtime may compute what does not depend on the graph's inputs while it loads the graph, in memory that
/// nobody counts. True when all that it could make has at most twice the elements of the stored tensors and 2²⁶ more.
/// What is made by an operator whose result may exceed its inputs by more than their product, such as Expand or Range,
/// has no known size, and so makes the answer false. So does a subgraph, which is folded by itself.
[[nodiscard]] bool folds_in_bounds(const Graph& graph, const onnx::GraphProto& proto);

}  // namespace headroom::model
