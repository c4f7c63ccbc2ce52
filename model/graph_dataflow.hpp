#pragma once

#include <optional>
#include <vector>

#include "model/graph.hpp"

namespace headroom::model {

/// How the values of the tokens flow through a graph: which tensors depend on them, and through which single tensor
/// everything that reaches a given one must pass. Shape and Size stop the flow: they tell how many tokens there are,
/// not which. Refers to the graph.
class Dataflow {
 public:
  Dataflow(const Graph& graph, TensorId tokens);

  [[nodiscard]] const Graph& graph() const { return graph_; }

  /// True when the tensor's values depend on the values of the tokens.
  [[nodiscard]] bool follows_tokens(TensorId id) const { return id != kNone && follows_[id]; }

  /// The tensor's immediate dominator, and the nodes between.
  struct Step {
    TensorId tensor = kNone;
    std::vector<NodeId> region;
  };

  /// The nearest earlier tensor through which all that reaches `id` from the tokens flows; nothing for the tokens
  /// themselves and for tensors that do not follow them. In a transformer the chain of these steps runs through the
  /// residual stream and skips over everything that is added to it.
  [[nodiscard]] std::optional<Step> dominator(TensorId id) const;

  /// The tensor `id` is a mere copy of: up through Identity, Cast, Dropout and changes of shape that keep the order
  /// of the elements.
  [[nodiscard]] TensorId source(TensorId id) const;

 private:
  const Graph& graph_;
  std::vector<bool> follows_;
};

/// Operators that hand on their first input's elements in the same order.
[[nodiscard]] bool keeps_elements(std::string_view op);

}  // namespace headroom::model
