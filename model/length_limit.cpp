#include "model/length_limit.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>

namespace headroom::model {
namespace {

/// Extents of the stored tensor behind `id`, through copies and changes of type; empty when it is computed.
std::vector<std::size_t> stored_extents(const Graph& graph, TensorId id) {
  while (id != kNone && graph.producer(id) != kNone && graph.constant(id) == nullptr) {
    const NodeId maker = graph.producer(id);
    const bool copies = graph.op(maker) == "Identity" || graph.op(maker) == "Cast";
    if (!copies || graph.inputs(maker).empty()) return {};
    id = graph.inputs(maker)[0];
  }
  if (id == kNone || graph.constant(id) == nullptr) return {};
  const auto& dims = graph.constant(id)->dims();
  return {dims.begin(), dims.end()};
}

bool looks_up_rows(const Graph& graph, NodeId id) {
  if (graph.op(id) != "Gather" || graph.inputs(id).size() != 2) return false;
  for (const onnx::AttributeProto& attribute : graph.node(id).attribute()) {
    if (attribute.name() == "axis" && attribute.i() != 0) return false;
  }
  return true;
}

}  // namespace

LengthLimits::LengthLimits(const Dataflow& flow, GraphOutputs& outputs) {
  const Graph& graph = flow.graph();
  for (NodeId id = 0; id < graph.nodes(); ++id) {
    const auto inputs = graph.inputs(id);
    const bool whole =
        !inputs.empty() && inputs[0] != kNone && !graph.outputs(id).empty() && graph.outputs(id)[0] != kNone;
    if (!whole || flow.follows_tokens(inputs[0])) continue;
    const bool lookup = looks_up_rows(graph, id);
    if (!lookup && graph.op(id) != "Slice") continue;
    std::vector<std::size_t> extents = stored_extents(graph, inputs[0]);
    if (extents.size() < 2 || (lookup && (inputs[1] == kNone || graph.constant(inputs[1]) != nullptr))) continue;
    const std::size_t output = lookup ? outputs.tensor(inputs[1]) : outputs.shape(graph.outputs(id)[0]);
    candidates_.push_back({lookup, std::move(extents), output});
  }
}

std::vector<std::size_t> LengthLimits::outputs() const {
  std::vector<std::size_t> result;
  for (const Candidate& candidate : candidates_) result.push_back(candidate.output);
  return result;
}

std::optional<std::size_t> LengthLimits::longest(const TensorSource& tensors, std::size_t length) const {
  std::optional<std::size_t> result;
  const auto limit = [&](std::size_t tokens) { result = std::min(result.value_or(tokens), tokens); };
  for (const Candidate& candidate : candidates_) {
    const std::vector<float>& told = tensors(candidate.output)->values;
    if (candidate.lookup) {
      if (told.size() < length || told.size() % length != 0) continue;
      // A number past the table may be too large for an integer.
      bool counts = told[0] >= 0.0F && told[0] < static_cast<float>(candidate.extents[0]) && length > 1;
      for (std::size_t i = 1; i < length; ++i) counts = counts && told[i] == told[0] + static_cast<float>(i);
      if (counts) limit(candidate.extents[0] - static_cast<std::size_t>(told[0]));
    } else if (told.size() == candidate.extents.size()) {
      for (std::size_t axis = 0; axis < told.size(); ++axis) {
        const bool cut = static_cast<float>(candidate.extents[axis]) != told[axis];
        if (cut && told[axis] == static_cast<float>(length)) limit(candidate.extents[axis]);
      }
    }
  }
  return result;
}

std::optional<std::size_t> vocabulary_size(const Dataflow& flow, TensorId tokens) {
  const Graph& graph = flow.graph();
  for (NodeId id = 0; id < graph.nodes(); ++id) {
    if (!looks_up_rows(graph, id) || graph.inputs(id)[1] == kNone || flow.source(graph.inputs(id)[1]) != tokens)
      continue;
    const std::vector<std::size_t> extents = stored_extents(graph, graph.inputs(id)[0]);
    if (extents.size() == 2) return extents[0];
  }
  return std::nullopt;
}

}  // namespace headroom::model
