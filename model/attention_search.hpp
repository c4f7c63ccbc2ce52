#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/attention_layout.hpp"
#include "model/graph_dataflow.hpp"

namespace headroom::model {

/// One tensor of an attention block and how its heads lie in it.
struct HeadOperand {
  TensorId tensor = kNone;
  HeadLayout layout;
};

/// One node between the product of queries and keys and the softmax.
struct ScoreStep {
  enum class Kind {
    multiply,    ///< scores · operand: a scale, or a mask of zeros and ones
    divide,      ///< scores / operand
    add,         ///< scores + operand: a bias, or a mask of very negative numbers
    subtract,    ///< scores − operand
    keep_where,  ///< scores where the operand is true, `other` elsewhere
    drop_where,  ///< `other` where the operand is true, scores elsewhere
    floor,       ///< the larger of scores and operand
  };
  Kind kind = Kind::add;
  NodeId node = kNone;
  TensorId operand = kNone;
  TensorId other = kNone;  ///< what replaces the scores; with keep_where and drop_where only
  TensorId result = kNone;
};

/// A scalar the queries or the keys were multiplied with on their way to the product.
struct OperandScale {
  TensorId operand = kNone;
  bool divides = false;
};

/// One eager attention block: softmax(steps(queries · keysᵀ)) · values.
struct AttentionPattern {
  NodeId softmax = kNone;
  HeadOperand queries;
  HeadOperand keys;
  HeadOperand values;
  double product_scale = 1.0;    ///< a factor the product node itself applies
  std::vector<ScoreStep> steps;  ///< from the product to the softmax
  /// Nearest to the product first. Any may turn out to be a gain with more than one element: then it and all that
  /// follow belong to the queries or keys themselves.
  std::vector<OperandScale> query_scales;
  std::vector<OperandScale> key_scales;
  TensorId hidden = kNone;  ///< what queries and keys are both made from by linear maps; kNone if there is no such
};

/// Every eager attention block of the graph, in the order in which the graph computes them.
///
/// A Softmax counts when its input goes back, through scale and mask only, to a product of two tensors that both
/// follow the tokens, and its output enters a product with a third. Other softmaxes are passed over.
///
/// Errors (Fault::input, at `place`): an attention operator that computes everything inside itself, or hides it in a
/// subgraph or local function (named); an operator between the product and the softmax that is not supported (named
/// with its node); no block at all.
[[nodiscard]] std::vector<AttentionPattern> find_attention(const Dataflow& flow, const std::string& place);

/// The residual stream entering the block: the tensor its hidden state is made from that is also added to what the
/// block's output leads to; kNone when the graph has no such sum.
[[nodiscard]] TensorId residual_input(const Dataflow& flow, const AttentionPattern& block);

}  // namespace headroom::model
