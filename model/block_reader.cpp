#include "model/block_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/error.hpp"

namespace headroom::model {
namespace {

std::size_t product(const std::vector<std::size_t>& extents) {
  std::size_t result = 1;
  for (const std::size_t extent : extents) result *= extent;
  return result;
}

/// Rows of a batch are equal, so the first entry of the batch is all that is kept.
std::vector<float> first_heads(HeadMatrices& matrices, std::size_t heads) {
  matrices.values.resize(heads * matrices.tokens * matrices.components);
  matrices.values.shrink_to_fit();
  return std::move(matrices.values);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

}  // namespace

BlockReader::BlockReader(const AttentionPattern& pattern, std::size_t layer, const Graph& graph, GraphOutputs& outputs,
                         const std::string& place)
    : node_(graph.describe(pattern.softmax)),
      place_(place + ", block " + std::to_string(layer) + " (" + node_ + ")"),
      queries_{outputs.tensor(pattern.queries.tensor), pattern.queries.layout},
      keys_{outputs.tensor(pattern.keys.tensor), pattern.keys.layout},
      values_{outputs.tensor(pattern.values.tensor), pattern.values.layout},
      weights_(outputs.last_rows(graph.outputs(pattern.softmax)[0])),
      product_scale_(pattern.product_scale) {
  if (pattern.hidden != kNone) hidden_ = outputs.tensor(pattern.hidden);
  for (const OperandScale& scale : pattern.query_scales) {
    query_scales_.push_back({outputs.tensor(scale.operand), scale.divides});
  }
  for (const OperandScale& scale : pattern.key_scales) {
    key_scales_.push_back({outputs.tensor(scale.operand), scale.divides});
  }
  for (const ScoreStep& step : pattern.steps) steps_.push_back(PlannedStep::plan(step, graph, outputs));
}

std::vector<std::size_t> BlockReader::outputs() const {
  std::vector<std::size_t> all = {queries_.output, keys_.output, values_.output};
  if (hidden_) all.push_back(*hidden_);
  for (const Scale& scale : query_scales_) all.push_back(scale.output);
  for (const Scale& scale : key_scales_) all.push_back(scale.output);
  for (const PlannedStep& step : steps_) all.insert(all.end(), {step.operand, step.replacement, step.shape});
  return all;
}

void BlockReader::refuse(const std::string& problem) const {
  throw_input(problem, place_, "headroom reads self-attention in which every token is a query and a key");
}

double BlockReader::factor(const std::vector<Scale>& scales, const TensorSource& tensors) const {
  double result = 1.0;
  for (const Scale& scale : scales) {
    const std::shared_ptr<const Tensor> tensor = tensors(scale.output);
    if (tensor->values.size() != 1) break;  // a gain: it and what precedes it belong to the operand itself
    const auto value = static_cast<double>(tensor->values[0]);
    if (!std::isfinite(value) || value == 0.0) refuse("queries or keys are scaled by zero or by a non-finite number");
    result *= scale.divides ? 1.0 / value : value;
  }
  return result;
}

HeadMatrices BlockReader::matrices(const Matrices& which, const char* what, const TensorSource& tensors,
                                   std::size_t length) const {
  std::optional<HeadMatrices> found = gather_heads(*tensors(which.output), which.layout);
  if (!found) refuse(std::string("the ") + what + " have an unexpected number of axes");
  if (found->tokens != length) {
    refuse("there are " + std::to_string(found->tokens) + " " + what + " for " + std::to_string(length) + " tokens");
  }
  return std::move(*found);
}

BlockActivations BlockReader::read(const TensorSource& tensors, std::size_t length, std::size_t batch) const {
  HeadMatrices q = matrices(queries_, "queries", tensors, length);
  HeadMatrices k = matrices(keys_, "keys", tensors, length);
  HeadMatrices v = matrices(values_, "values", tensors, length);
  const std::optional<std::vector<std::size_t>> lead = broadcast_lead(q.lead, k.lead);
  const std::size_t all_heads = lead ? product(*lead) : 0;
  bool fits = all_heads > 0 && all_heads % batch == 0 && q.components == k.components && q.components > 0;
  fits = fits && broadcast_heads(q, *lead) && broadcast_heads(k, *lead);
  // Between scores and values the lead axes may have been split or merged; only their number has to stay.
  fits = fits && (product(v.lead) == all_heads || broadcast_heads(v, *lead));
  if (!fits) refuse("the shapes of queries, keys and values do not agree");
  BlockActivations block;
  block.heads = all_heads / batch;
  block.head_dim = q.components;
  block.value_dim = v.components;
  block.queries = first_heads(q, block.heads);
  block.keys = first_heads(k, block.heads);
  block.values = first_heads(v, block.heads);
  const double query_factor = factor(query_scales_, tensors);
  const double key_factor = factor(key_scales_, tensors);
  const auto divide_out = [](std::vector<float>& all, double factor) {
    if (factor == 1.0) return;
    for (float& each : all) each = static_cast<float>(static_cast<double>(each) / factor);
  };
  divide_out(block.queries, query_factor);
  divide_out(block.keys, key_factor);
  block.rule = score_rule(steps_, tensors, block.heads, length, place_);
  block.rule.scale *= product_scale_ * query_factor * key_factor;
  if (hidden_) {
    block.hidden = token_rows(*tensors(*hidden_), length, batch);
    block.width = block.hidden.size() / length;
  }
  return block;
}

bool BlockReader::check(const TensorSource& tensors, const Activations& activations, std::size_t layer) const {
  const std::shared_ptr<const Tensor> graph = tensors(weights_);
  const std::size_t length = activations.tokens();
  const std::size_t rows = std::min<std::size_t>(length, GraphOutputs::kLastRows);
  const std::size_t heads = activations.heads(layer);
  if (graph->shape.size() < 2 || graph->shape.back() != length || graph->values.size() < heads * rows * length) {
    refuse("the softmax does not give a weight for every query and token");
  }
  const double agreement = graph->half ? kHalfAgreement : kAgreement;
  const Visibility& seen = activations.visibility(layer);
  std::vector<double> own(rows * length);
  bool causal = true;
  for (std::size_t head = 0; head < heads; ++head) {
    activations.weights(layer, head, length - rows, {own.data(), rows, length});
    const float* theirs = graph->values.data() + head * rows * length;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t query = length - rows + r;
      for (std::size_t j = query + 1; j < length; ++j) causal = causal && theirs[r * length + j] == 0.0F;
      if (seen.count(query) == 0) continue;  // what a row without visible tokens holds is the graph's affair
      for (std::size_t j = 0; j < length; ++j) {
        const double difference = std::abs(own[r * length + j] - static_cast<double>(theirs[r * length + j]));
        if (difference <= agreement) continue;
        throw_input(
            "the weights recomputed from queries, keys, scale and mask differ from the graph's own softmax by " +
                number(difference) + " (head " + std::to_string(head) + ", query " + std::to_string(query) +
                ", token " + std::to_string(j) + ")",
            place_, "this form of attention is not understood; export with plain eager attention");
      }
    }
  }
  return causal;
}

}  // namespace headroom::model
