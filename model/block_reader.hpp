#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/activations.hpp"
#include "model/attention_search.hpp"
#include "model/graph_outputs.hpp"
#include "model/score_steps.hpp"

namespace headroom::model {

/// Knows which outputs of the graph an attention block needs, and makes its activations of them.
class BlockReader {
 public:
  /// Asks for the block's outputs. `place` is the model, `layer` the block's number, for messages.
  BlockReader(const AttentionPattern& pattern, std::size_t layer, const Graph& graph, GraphOutputs& outputs,
              const std::string& place);

  /// Positions of the outputs read() needs.
  [[nodiscard]] std::vector<std::size_t> outputs() const;

  /// Position of the output check() needs.
  [[nodiscard]] std::size_t weights_output() const { return weights_; }

  /// The softmax, as messages name it.
  [[nodiscard]] const std::string& node() const { return node_; }

  /// Activations for `length` tokens; the hidden state only where it has a row for every token.
  /// Errors (Fault::input): shapes that are not those of heads attending to the same tokens; whatever score_rule
  /// refuses.
  [[nodiscard]] BlockActivations read(const TensorSource& tensors, std::size_t length, std::size_t batch) const;

  /// Throws Fault::input unless the recomputed weights of the block agree with those the graph computed, in the last
  /// rows, to kAgreement (kHalfAgreement when the graph works in 16 bits). Returns whether every head's weights are
  /// exactly zero for later tokens.
  bool check(const TensorSource& tensors, const Activations& activations, std::size_t layer) const;

  static constexpr double kAgreement = 1e-5;
  static constexpr double kHalfAgreement = 5e-3;

 private:
  struct Scale {
    std::size_t output = 0;
    bool divides = false;
  };
  struct Matrices {
    std::size_t output = 0;
    HeadLayout layout;
  };

  [[nodiscard]] double factor(const std::vector<Scale>& scales, const TensorSource& tensors) const;
  [[nodiscard]] HeadMatrices matrices(const Matrices& which, const char* what, const TensorSource& tensors,
                                      std::size_t length) const;
  [[noreturn]] void refuse(const std::string& problem) const;

  std::string node_;
  std::string place_;
  Matrices queries_;
  Matrices keys_;
  Matrices values_;
  std::size_t weights_ = 0;
  std::optional<std::size_t> hidden_;
  std::vector<Scale> query_scales_;
  std::vector<Scale> key_scales_;
  double product_scale_ = 1.0;
  std::vector<PlannedStep> steps_;
};

}  // namespace headroom::model
