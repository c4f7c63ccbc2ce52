#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/attention_search.hpp"
#include "model/graph_outputs.hpp"
#include "model/score_rule.hpp"
#include "model/tensor.hpp"

namespace headroom::model {

/// One step of a block's score computation with the positions of the tensors it needs among the graph's outputs.
struct PlannedStep {
  ScoreStep::Kind kind = ScoreStep::Kind::add;
  std::string node;  ///< for messages
  std::size_t operand = 0;
  std::size_t replacement = 0;  ///< largest replacing score (keep_where and drop_where), or the largest floor
  std::size_t shape = 0;        ///< of the scores after the step

  [[nodiscard]] static PlannedStep plan(const ScoreStep& step, const Graph& graph, GraphOutputs& outputs);
};

/// Follows the steps for `heads` heads and `length` tokens. In a tensor that is added, elements at or below
/// kMaskedScore that are also at most half of its smallest element are masks; the rest is bias.
///
/// Errors (Fault::input, at `place`): a factor that is neither a scalar nor a matrix of zeros and ones, scores replaced
/// by something that is no mask, heads that see different tokens; each names the node.
[[nodiscard]] ScoreRule score_rule(const std::vector<PlannedStep>& steps, const TensorSource& tensors,
                                   std::size_t heads, std::size_t length, const std::string& place);

}  // namespace headroom::model
