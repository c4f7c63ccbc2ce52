#include "model/graph_dataflow.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace headroom::model {

bool keeps_elements(std::string_view op) {
  static constexpr std::array<std::string_view, 7> kNames = {"Identity", "Cast",      "Dropout", "Reshape",
                                                             "Squeeze",  "Unsqueeze", "Flatten"};
  return std::find(kNames.begin(), kNames.end(), op) != kNames.end();
}

Dataflow::Dataflow(const Graph& graph, TensorId tokens) : graph_(graph), follows_(graph.tensors(), false) {
  follows_[tokens] = true;
  for (NodeId id = 0; id < graph.nodes(); ++id) {
    if (graph.op(id) == "Shape" || graph.op(id) == "Size") continue;
    const auto inputs = graph.inputs(id);
    if (std::none_of(inputs.begin(), inputs.end(), [&](TensorId input) { return follows_tokens(input); })) continue;
    for (const TensorId output : graph.outputs(id)) {
      if (output != kNone) follows_[output] = true;
    }
  }
}

std::optional<Dataflow::Step> Dataflow::dominator(TensorId id) const {
  if (!follows_tokens(id) || graph_.producer(id) == kNone) return std::nullopt;
  // Tensors still to be explained, the latest made first. As nodes are in topological order, once a single tensor is
  // left, every path has met in it.
  const auto later = [&](TensorId a, TensorId b) {
    const NodeId maker_a = graph_.producer(a) == kNone ? 0 : graph_.producer(a) + 1;
    const NodeId maker_b = graph_.producer(b) == kNone ? 0 : graph_.producer(b) + 1;
    return maker_a != maker_b ? maker_a > maker_b : a < b;
  };
  std::set<TensorId, decltype(later)> frontier(later);
  frontier.insert(id);
  Step step;
  do {
    const NodeId maker = graph_.producer(*frontier.begin());
    if (maker == kNone) return std::nullopt;
    // A node with several outputs may stand in the frontier more than once.
    while (!frontier.empty() && graph_.producer(*frontier.begin()) == maker) frontier.erase(frontier.begin());
    for (const TensorId input : graph_.inputs(maker)) {
      if (follows_tokens(input)) frontier.insert(input);
    }
    step.region.push_back(maker);
  } while (frontier.size() > 1);
  step.tensor = *frontier.begin();
  return step;
}

TensorId Dataflow::source(TensorId id) const {
  for (;;) {
    const NodeId maker = graph_.producer(id);
    if (maker == kNone || !keeps_elements(graph_.op(maker)) || graph_.inputs(maker).empty()) return id;
    const TensorId before = graph_.inputs(maker)[0];
    if (before == kNone) return id;
    id = before;
  }
}

}  // namespace headroom::model
