#include "model/score_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/error.hpp"

namespace headroom::model {
namespace {

using Kind = ScoreStep::Kind;

/// Places an operand against the scores it is broadcast to; nothing when its shape does not fit.
std::optional<BiasTerm> place_operand(std::shared_ptr<const Tensor> tensor, const Tensor& score_shape,
                                      std::size_t heads) {
  const std::size_t rank = score_shape.values.size();
  const std::vector<std::size_t>& shape = tensor->shape;
  const bool empty =
      std::any_of(score_shape.values.begin(), score_shape.values.end(), [](float extent) { return extent < 1.0F; });
  if (rank < 2 || shape.size() > rank || empty) return std::nullopt;
  std::vector<std::size_t> strides(rank, 0);
  std::size_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    const std::size_t axis = rank - shape.size() + i;
    if (shape[i] != 1 && static_cast<float>(shape[i]) != score_shape.values[axis]) return std::nullopt;
    strides[axis] = shape[i] == 1 ? 0 : stride;
    stride *= shape[i];
  }
  BiasTerm term;
  term.row_stride = strides[rank - 2];
  term.column_stride = strides[rank - 1];
  for (std::size_t head = 0; head < heads; ++head) {
    std::size_t left = head;
    std::size_t offset = 0;
    for (std::size_t axis = rank - 2; axis-- > 0;) {
      const auto extent = static_cast<std::size_t>(score_shape.values[axis]);
      offset += left % extent * strides[axis];
      left /= extent;
    }
    term.head_offsets.push_back(offset);
  }
  term.values = std::move(tensor);
  return term;
}

class RuleBuilder {
 public:
  RuleBuilder(const TensorSource& tensors, std::size_t heads, std::size_t length, const std::string& place)
      : tensors_(tensors), heads_(heads), length_(length), place_(place) {}

  void apply(const PlannedStep& step) {
    switch (step.kind) {
      case Kind::multiply:
        return multiply(step);
      case Kind::divide:
        return scale_by(1.0 / scalar(step), step);
      case Kind::add:
        return add(step, 1.0);
      case Kind::subtract:
        return add(step, -1.0);
      case Kind::keep_where:
        return choose(step, true);
      case Kind::drop_where:
        return choose(step, false);
      case Kind::floor:
        if (!(largest(step) <= kMaskedScore)) refuse(step, "limits scores from below by a number that is no mask");
        return;
    }
  }

  ScoreRule finish() {
    rule_.visibility =
        bits_.empty() ? Visibility::all(length_, length_) : Visibility::mask(length_, length_, std::move(bits_));
    return std::move(rule_);
  }

 private:
  [[noreturn]] void refuse(const PlannedStep& step, const std::string& what) const {
    throw_input(step.node + " " + what, place_, "scores must be scaled by a scalar and masked by Where or Add only");
  }

  float largest(const PlannedStep& step) const {
    const std::shared_ptr<const Tensor> tensor = tensors_(step.replacement);
    return tensor->values.size() == 1 ? tensor->values[0] : std::numeric_limits<float>::quiet_NaN();
  }

  double scalar(const PlannedStep& step) const {
    const std::shared_ptr<const Tensor> tensor = tensors_(step.operand);
    if (tensor->values.size() != 1) refuse(step, "divides scores by more than one number");
    return static_cast<double>(tensor->values[0]);
  }

  void scale_by(double factor, const PlannedStep& step) {
    if (!std::isfinite(factor) || factor == 0.0) refuse(step, "scales scores by zero or by a non-finite number");
    rule_.scale *= factor;
    for (BiasTerm& term : rule_.bias) term.factor *= factor;
  }

  BiasTerm operand(const PlannedStep& step) const {
    const std::shared_ptr<const Tensor> scores = tensors_(step.shape);
    const std::size_t rank = scores->values.size();
    const auto square = static_cast<float>(length_);
    const bool matrix = rank >= 2 && scores->values[rank - 1] == square && scores->values[rank - 2] == square;
    std::optional<BiasTerm> term =
        matrix ? place_operand(tensors_(step.operand), *scores, heads_) : std::optional<BiasTerm>();
    if (!term) refuse(step, "has an operand whose shape does not match the scores");
    return std::move(*term);
  }

  void multiply(const PlannedStep& step) {
    const std::shared_ptr<const Tensor> tensor = tensors_(step.operand);
    if (tensor->values.size() == 1) return scale_by(static_cast<double>(tensor->values[0]), step);
    const bool gate =
        std::all_of(tensor->values.begin(), tensor->values.end(), [](float v) { return v == 0.0F || v == 1.0F; });
    if (!gate) refuse(step, "multiplies scores by a tensor that is neither a scalar nor a mask");
    hide(operand(step), step, [](float v) { return v == 0.0F; });
  }

  void add(const PlannedStep& step, double sign) {
    const std::shared_ptr<const Tensor> tensor = tensors_(step.operand);
    if (tensor->values.size() == 1 && std::isfinite(tensor->values[0])) return;  // softmax does not see it
    BiasTerm term = operand(step);
    const auto signed_value = [&](float v) { return sign > 0 ? v : -v; };
    float least = 0.0F;
    for (const float v : tensor->values) least = std::min(least, signed_value(v));
    const float limit = std::min(kMaskedScore, std::max(least, std::numeric_limits<float>::lowest()) / 2);
    const auto masked = [&](float v) { return signed_value(v) <= limit; };
    if (least <= limit) hide(term, step, masked);
    const bool bias =
        std::any_of(tensor->values.begin(), tensor->values.end(), [&](float v) { return v != 0.0F && !masked(v); });
    // The same for every token of a row: the softmax does not see it either.
    if (!bias || term.column_stride == 0) return;
    term.factor = sign;
    rule_.bias.push_back(std::move(term));
  }

  void choose(const PlannedStep& step, bool keep) {
    if (!(largest(step) <= kMaskedScore)) refuse(step, "puts numbers that are no mask in the place of scores");
    hide(operand(step), step, [keep](float v) { return (v != 0.0F) != keep; });
  }

  /// Clears the bits of the tokens whose element is hidden; every head must agree.
  template <class Hidden>
  void hide(const BiasTerm& term, const PlannedStep& step, Hidden hidden) {
    if (bits_.empty()) bits_.assign(length_ * length_, 1);
    const float* values = term.values->values.data();
    for (std::size_t head = 0; head < heads_; ++head) {
      if (head > 0 && term.head_offsets[head] == term.head_offsets[0]) continue;
      for (std::size_t i = 0; i < length_; ++i) {
        const float* first = values + term.head_offsets[0] + i * term.row_stride;
        const float* row = values + term.head_offsets[head] + i * term.row_stride;
        std::uint8_t* bits = bits_.data() + i * length_;
        for (std::size_t j = 0; j < length_; ++j) {
          const bool here = hidden(row[j * term.column_stride]);
          if (head == 0) {
            bits[j] = static_cast<std::uint8_t>(bits[j] & (here ? 0U : 1U));
          } else if (here != hidden(first[j * term.column_stride])) {
            refuse(step, "hides different tokens from different heads, which headroom cannot represent");
          }
        }
      }
    }
  }

  const TensorSource& tensors_;
  std::size_t heads_;
  std::size_t length_;
  const std::string& place_;
  ScoreRule rule_;
  std::vector<std::uint8_t> bits_;
};

}  // namespace

PlannedStep PlannedStep::plan(const ScoreStep& step, const Graph& graph, GraphOutputs& outputs) {
  PlannedStep planned;
  planned.kind = step.kind;
  planned.node = graph.describe(step.node);
  planned.shape = outputs.shape(step.result);
  const bool floor = step.kind == Kind::floor;
  // A floor may be a full matrix; its largest element says all that is needed.
  planned.operand = floor ? planned.shape : outputs.tensor(step.operand);
  planned.replacement = planned.shape;
  if (floor) planned.replacement = outputs.maximum(step.operand);
  if (step.other != kNone) planned.replacement = outputs.maximum(step.other);
  return planned;
}

ScoreRule score_rule(const std::vector<PlannedStep>& steps, const TensorSource& tensors, std::size_t heads,
                     std::size_t length, const std::string& place) {
  RuleBuilder builder(tensors, heads, length, place);
  for (const PlannedStep& step : steps) builder.apply(step);
  return builder.finish();
}

}  // namespace headroom::model
