#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/visibility.hpp"
#include "model/attention_search.hpp"
#include "model/graph_outputs.hpp"
#include "model/tensor.hpp"

namespace headroom::model {

/// Something added to the scores that is no mask: ALiBi slopes, relative positions.
struct BiasTerm {
  std::shared_ptr<const Tensor> values;
  double factor = 1.0;
  std::vector<std::size_t> head_offsets;  ///< where each head's matrix begins
  std::size_t row_stride = 0;             ///< 0: the same for every query
  std::size_t column_stride = 0;          ///< 0: the same for every token

  [[nodiscard]] double at(std::size_t head, std::size_t query, std::size_t token) const {
    return factor *
           static_cast<double>(values->values[head_offsets[head] + query * row_stride + token * column_stride]);
  }
};

/// How a block's scores come from raw inner products: scale·q·k + bias for visible tokens, nothing for the rest.
struct ScoreRule {
  double scale = 1.0;
  Visibility visibility;
  std::vector<BiasTerm> bias;
};

/// At or below this a number added to scores, or put in their place, is a mask: exporters use −10⁴, −10⁹, the least
/// float and −∞, all of which leave a weight of exactly zero.
inline constexpr float kMaskedScore = -9999.0F;

/// One step of a block's score computation with the positions of the tensors it needs among the graph's outputs.
struct PlannedStep {
  ScoreStep::Kind kind = ScoreStep::Kind::add;
  std::string node;  ///< for messages
  std::size_t operand = 0;
  std::size_t replacement = 0;  ///< largest replacing score (keep_where and drop_where), or the largest floor
  std::size_t shape = 0;        ///< of the scores after the step

  [[nodiscard]] static PlannedStep plan(const ScoreStep& step, const Graph& graph, GraphOutputs& outputs);
};

using TensorSource = std::function<std::shared_ptr<const Tensor>(std::size_t)>;

/// Follows the steps for `heads` heads and `length` tokens. In a tensor that is added, elements at or below
/// kMaskedScore that are also at most half of its smallest element are masks; the rest is bias.
///
/// Errors (Fault::input, at `place`): a factor that is neither a scalar nor a matrix of zeros and ones, scores replaced
/// by something that is no mask, heads that see different tokens; each names the node.
[[nodiscard]] ScoreRule score_rule(const std::vector<PlannedStep>& steps, const TensorSource& tensors,
                                   std::size_t heads, std::size_t length, const std::string& place);

}  // namespace headroom::model
