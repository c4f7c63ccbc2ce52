#include "model/attention_search.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "core/error.hpp"

namespace headroom::model {
namespace {

template <std::size_t N>
bool among(std::string_view op, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), op) != names.end();
}

std::string_view text_attribute(const onnx::NodeProto& node, std::string_view name) {
  for (const onnx::AttributeProto& each : node.attribute()) {
    if (each.name() == name) return each.s();
  }
  return {};
}

/// An integer or real attribute, whichever it is.
double number_attribute(const onnx::NodeProto& node, std::string_view name, double absent) {
  for (const onnx::AttributeProto& each : node.attribute()) {
    if (each.name() != name) continue;
    return each.type() == onnx::AttributeProto::FLOAT ? each.f() : static_cast<double>(each.i());
  }
  return absent;
}

/// The step an operator of scores and one operand is.
std::optional<ScoreStep::Kind> step_kind(std::string_view op) {
  if (op == "Add") return ScoreStep::Kind::add;
  if (op == "Sub") return ScoreStep::Kind::subtract;
  if (op == "Mul") return ScoreStep::Kind::multiply;
  if (op == "Div") return ScoreStep::Kind::divide;
  if (op == "Max") return ScoreStep::Kind::floor;
  return std::nullopt;
}

bool is_product(std::string_view op) { return op == "MatMul" || op == "FusedMatMul" || op == "Einsum"; }

/// A map with weights of its own: what separates queries and keys from the hidden state.
bool is_projection(const Dataflow& flow, NodeId id) {
  const std::string_view op = flow.graph().op(id);
  const bool linear = op.find("MatMul") != std::string_view::npos || op == "Gemm" || op == "Einsum" || op == "Conv";
  const auto inputs = flow.graph().inputs(id);
  return linear &&
         std::any_of(inputs.begin(), inputs.end(), [&](TensorId t) { return t != kNone && !flow.follows_tokens(t); });
}

/// Finds one block from its softmax.
class BlockSearch {
 public:
  BlockSearch(const Dataflow& flow, NodeId softmax, const std::string& place)
      : flow_(flow), graph_(flow.graph()), place_(place) {
    block_.softmax = softmax;
  }

  std::optional<AttentionPattern> run() {
    if (graph_.inputs(block_.softmax).empty() || !find_values()) return std::nullopt;
    const Outcome outcome = walk_scores(graph_.inputs(block_.softmax)[0], 0);
    if (outcome == Outcome::foreign) return std::nullopt;
    if (outcome == Outcome::unsupported) {
      throw_input(obstacle_ + " between the query-key product and the softmax is not supported",
                  place_ + ", attention at " + graph_.describe(block_.softmax),
                  "scores must be scaled by a scalar and masked by Where or Add only");
    }
    block_.query_scales = scales(block_.queries.tensor);
    block_.key_scales = scales(block_.keys.tensor);
    const TensorId origin = projected_from(block_.queries.tensor);
    if (origin != kNone && origin == projected_from(block_.keys.tensor)) block_.hidden = origin;
    return std::move(block_);
  }

 private:
  enum class Outcome { foreign, unsupported, found };
  static constexpr int kDeepest = 64;  // nodes between product and softmax; exports have fewer than ten

  /// The values: the partner of the weights in the first product their copies enter.
  bool find_values() {
    std::vector<TensorId> open = {graph_.outputs(block_.softmax)[0]};
    std::unordered_set<TensorId> seen(open.begin(), open.end());
    while (!open.empty()) {
      const TensorId weights = open.back();
      open.pop_back();
      if (weights == kNone) continue;
      for (const NodeId reader : graph_.consumers(weights)) {
        const std::string_view op = graph_.op(reader);
        if (is_product(op) && take_values(reader, weights)) return true;
        // Guards against rows without any visible token (Where, IsNaN), head masks, dropout, changes of shape.
        const bool passes = keeps_elements(op) || op == "Where" || op == "Mul" || op == "Expand";
        if (!passes || graph_.outputs(reader).empty()) continue;
        const TensorId next = graph_.outputs(reader)[0];
        if (seen.insert(next).second && seen.size() < kDeepest) open.push_back(next);
      }
    }
    return false;
  }

  bool take_values(NodeId product, TensorId weights) {
    const auto inputs = graph_.inputs(product);
    if (inputs.size() != 2) return false;
    const std::size_t side = inputs[0] == weights ? 0 : 1;
    const TensorId partner = inputs[1 - side];
    if (!flow_.follows_tokens(partner)) return false;
    if (graph_.op(product) == "Einsum") {
      const std::optional<HeadLayout> layout = value_einsum(text_attribute(graph_.node(product), "equation"), side);
      if (layout) block_.values = {partner, *layout};
      return layout.has_value();
    }
    if (side != 0 || number_attribute(graph_.node(product), "transA", 0) != 0) return false;
    const bool transposed = number_attribute(graph_.node(product), "transB", 0) != 0;
    block_.values = {partner, transposed ? HeadLayout::columns() : HeadLayout::rows()};
    return true;
  }

  /// Walks from `tensor` up to the product of queries and keys; the steps are noted on the way back.
  Outcome walk_scores(TensorId tensor, int depth) {
    if (!flow_.follows_tokens(tensor) || graph_.producer(tensor) == kNone || depth > kDeepest) return Outcome::foreign;
    // A tensor met twice keeps its answer: the walk stays linear in the graph whatever its shape.
    if (const auto known = outcomes_.find(tensor); known != outcomes_.end()) return known->second;
    return outcomes_[tensor] = walk_node(graph_.producer(tensor), tensor, depth + 1);
  }

  Outcome walk_node(NodeId id, TensorId result, int depth) {
    using Kind = ScoreStep::Kind;
    const std::string_view op = graph_.op(id);
    const auto inputs = graph_.inputs(id);
    if (is_product(op)) return take_product(id);
    if ((keeps_elements(op) || op == "Expand") && !inputs.empty()) return walk_scores(inputs[0], depth);
    if (op == "Where" && inputs.size() == 3) {
      const Outcome kept = through(id, result, {Kind::keep_where, inputs[1], inputs[0], inputs[2]}, depth);
      return either(id, kept, through(id, result, {Kind::drop_where, inputs[2], inputs[0], inputs[1]}, depth));
    }
    if (const std::optional<Kind> kind = step_kind(op); kind && inputs.size() == 2) {
      const Outcome left = through(id, result, {*kind, inputs[0], inputs[1]}, depth);
      const bool ordered = op == "Div" || op == "Sub";
      return ordered ? left : either(id, left, through(id, result, {*kind, inputs[1], inputs[0]}, depth));
    }
    // A softmax over the projection of a single tensor (pooling, routing) is no attention.
    if (is_projection(flow_, id)) return Outcome::foreign;
    if (obstacle_.empty()) obstacle_ = graph_.describe(id);
    return Outcome::unsupported;
  }

  struct Branch {
    ScoreStep::Kind kind;
    TensorId scores;
    TensorId operand;
    TensorId other = kNone;
  };

  Outcome through(NodeId id, TensorId result, const Branch& branch, int depth) {
    const bool omitted = branch.operand == kNone;
    const Outcome outcome = omitted ? Outcome::foreign : walk_scores(branch.scores, depth);
    if (outcome == Outcome::found) block_.steps.push_back({branch.kind, id, branch.operand, branch.other, result});
    return outcome;
  }

  Outcome either(NodeId id, Outcome a, Outcome b) {
    if (a != Outcome::found || b != Outcome::found) return std::max(a, b);
    obstacle_ = "a meeting of two query-key products in " + graph_.describe(id);
    return Outcome::unsupported;
  }

  Outcome take_product(NodeId id) {
    const auto inputs = graph_.inputs(id);
    if (inputs.size() != 2 || !flow_.follows_tokens(inputs[0]) || !flow_.follows_tokens(inputs[1])) {
      return Outcome::foreign;
    }
    const onnx::NodeProto& node = graph_.node(id);
    if (graph_.op(id) == "Einsum") {
      const std::optional<EinsumLayouts> layouts = score_einsum(text_attribute(node, "equation"));
      if (!layouts) {
        obstacle_ = "the equation of " + graph_.describe(id);
        return Outcome::unsupported;
      }
      block_.queries = {inputs[layouts->swapped ? 1 : 0], layouts->swapped ? layouts->right : layouts->left};
      block_.keys = {inputs[layouts->swapped ? 0 : 1], layouts->swapped ? layouts->left : layouts->right};
      return Outcome::found;
    }
    const bool left = number_attribute(node, "transA", 0) != 0;
    const bool right = number_attribute(node, "transB", 0) != 0;
    block_.queries = {inputs[0], left ? HeadLayout::columns() : HeadLayout::rows()};
    block_.keys = {inputs[1], right ? HeadLayout::rows() : HeadLayout::columns()};
    block_.product_scale = number_attribute(node, "alpha", 1);
    return Outcome::found;
  }

  /// True when the node's result is multiplied by c whenever what it reads of the tokens is.
  bool homogeneous(NodeId id) const {
    static constexpr std::array<std::string_view, 8> kFirstInput = {"Transpose", "Expand", "Tile", "Slice",
                                                                    "Split",     "Gather", "Neg",  "Pad"};
    const std::string_view op = graph_.op(id);
    const auto inputs = graph_.inputs(id);
    if (keeps_elements(op) || among(op, kFirstInput)) return !inputs.empty() && flow_.follows_tokens(inputs[0]);
    const auto following =
        std::count_if(inputs.begin(), inputs.end(), [&](TensorId input) { return flow_.follows_tokens(input); });
    if (op == "Add" || op == "Sub" || op == "Concat") return static_cast<std::size_t>(following) == inputs.size();
    if (inputs.size() != 2 || following != 1) return false;
    return op == "Mul" || (op == "Div" && flow_.follows_tokens(inputs[0]));
  }

  /// Factors on the way from the projection to the product, through transpositions and rotary embeddings alike: a
  /// factor all of the operand passes through is one of the whole operand.
  std::vector<OperandScale> scales(TensorId operand) const {
    std::vector<OperandScale> found;
    for (auto step = flow_.dominator(operand); step; step = flow_.dominator(step->tensor)) {
      if (!std::all_of(step->region.begin(), step->region.end(), [&](NodeId id) { return homogeneous(id); })) break;
      const NodeId last = step->region.front();
      const bool factor = graph_.op(last) == "Mul" || graph_.op(last) == "Div";
      if (step->region.size() != 1 || !factor) continue;
      const auto inputs = graph_.inputs(last);
      const TensorId scale = flow_.follows_tokens(inputs[0]) ? inputs[1] : inputs[0];
      if (scale == kNone) break;
      found.push_back({scale, graph_.op(last) == "Div"});
    }
    return found;
  }

  /// The tensor the operand's projection reads.
  TensorId projected_from(TensorId operand) const {
    for (auto step = flow_.dominator(operand); step; step = flow_.dominator(step->tensor)) {
      if (std::any_of(step->region.begin(), step->region.end(), [&](NodeId id) { return is_projection(flow_, id); })) {
        return flow_.source(step->tensor);
      }
    }
    return kNone;
  }

  AttentionPattern block_;
  const Dataflow& flow_;
  const Graph& graph_;
  const std::string& place_;
  std::string obstacle_;
  std::unordered_map<TensorId, Outcome> outcomes_;
};

/// Operators that hold a whole attention block: those of the standard and those that runtimes fuse.
[[noreturn]] void refuse_fused(const std::string& what, const std::string& place) {
  throw_input(what + " computes attention inside itself, so its weights cannot be read", place,
              "export with eager attention (attn_implementation=\"eager\") and without graph optimization");
}

void refuse_fused_operators(const Graph& graph, const std::string& place) {
  for (NodeId id = 0; id < graph.nodes(); ++id) {
    const onnx::NodeProto& node = graph.node(id);
    if (node.op_type().find("Attention") == std::string::npos) continue;
    const std::string domain = node.domain().empty() ? "" : node.domain() + ".";
    refuse_fused("operator " + domain + graph.describe(id), place);
  }
}

/// Why a graph may have no block we can see.
[[noreturn]] void no_attention(const Graph& graph, const std::string& place) {
  for (NodeId id = 0; id < graph.nodes(); ++id) {
    const onnx::NodeProto& node = graph.node(id);
    const bool nested = std::any_of(node.attribute().begin(), node.attribute().end(),
                                    [](const onnx::AttributeProto& a) { return a.has_g() || a.graphs_size() > 0; });
    if (nested) {
      throw_input("no attention block found outside the subgraphs of " + graph.describe(id), place,
                  "export without merging the variants of the decoder");
    }
  }
  for (NodeId id = 0; id < graph.nodes(); ++id) {
    const std::string& domain = graph.node(id).domain();
    if (domain.empty() || domain == "ai.onnx" || domain == "com.microsoft") continue;
    throw_input("no attention block found outside functions such as " + domain + "." + graph.describe(id), place,
                "export with the model's local functions inlined");
  }
  throw_input("no attention block found", place,
              "headroom needs a transformer in which softmax(queries x keys) x values is spelt out");
}

}  // namespace

std::vector<AttentionPattern> find_attention(const Dataflow& flow, const std::string& place) {
  const Graph& graph = flow.graph();
  refuse_fused_operators(graph, place);
  std::vector<AttentionPattern> blocks;
  for (NodeId id = 0; id < graph.nodes(); ++id) {
    if (graph.op(id) != "Softmax" || graph.outputs(id).empty() || graph.outputs(id)[0] == kNone) continue;
    if (std::optional<AttentionPattern> block = BlockSearch(flow, id, place).run()) blocks.push_back(std::move(*block));
  }
  if (blocks.empty()) no_attention(graph, place);
  return blocks;
}

TensorId residual_input(const Dataflow& flow, const AttentionPattern& block) {
  if (block.hidden == kNone) return kNone;
  const Graph& graph = flow.graph();
  std::vector<bool> after(graph.tensors(), false);
  after[graph.outputs(block.softmax)[0]] = true;
  std::unordered_set<TensorId> stream = {block.hidden};
  for (auto step = flow.dominator(block.hidden); step; step = flow.dominator(step->tensor)) {
    stream.insert(flow.source(step->tensor));
  }
  for (NodeId id = block.softmax; id < graph.nodes(); ++id) {
    const auto inputs = graph.inputs(id);
    const bool follows = std::any_of(inputs.begin(), inputs.end(), [&](TensorId t) { return t != kNone && after[t]; });
    if (!follows) continue;
    if (graph.op(id) == "Add" || graph.op(id) == "SkipLayerNormalization") {
      for (const TensorId input : inputs) {
        if (input != kNone && !after[input] && stream.contains(flow.source(input))) return flow.source(input);
      }
    }
    for (const TensorId output : graph.outputs(id)) {
      if (output != kNone) after[output] = true;
    }
  }
  return kNone;
}

}  // namespace headroom::model
