#pragma once

#include <cstddef>
#include <vector>

#include "core/matrix_view.hpp"
#include "core/visibility.hpp"
#include "model/score_rule.hpp"

namespace headroom::model {

/// What one attention block computed for a sequence of L tokens. Matrices of heads lie one after the other.
struct BlockActivations {
  std::size_t heads = 0;
  std::size_t head_dim = 0;
  std::size_t value_dim = 0;
  std::size_t width = 0;       ///< of the hidden state; 0 when it is not available
  std::vector<float> queries;  ///< (heads, L, head_dim), without any scale the graph put on them
  std::vector<float> keys;     ///< (heads, L, head_dim), likewise; grouped keys repeated for every head
  std::vector<float> values;   ///< (heads, L, value_dim)
  std::vector<float> hidden;   ///< (L, width)
  ScoreRule rule;
};

/// Queries, keys, values and block inputs of every head from one forward pass. Immutable; every method may be called
/// from several threads at once and runs in the calling thread alone.
///
/// Heads and layers count from zero. A head's weights are softmax(scale·q·k + bias) over the tokens a query sees.
class Activations {
 public:
  Activations(std::size_t tokens, std::vector<BlockActivations> blocks, std::vector<float> embedding);

  [[nodiscard]] std::size_t tokens() const { return tokens_; }
  [[nodiscard]] std::size_t layers() const { return blocks_.size(); }
  [[nodiscard]] std::size_t heads(std::size_t layer) const { return blocks_[layer].heads; }
  [[nodiscard]] double scale(std::size_t layer) const { return blocks_[layer].rule.scale; }

  /// (L, head_dim), as they enter the product of scores, with scales divided out: raw logits are q·k.
  [[nodiscard]] MatrixView<const float> queries(std::size_t layer, std::size_t head) const;
  [[nodiscard]] MatrixView<const float> keys(std::size_t layer, std::size_t head) const;

  /// (L, value_dim)
  [[nodiscard]] MatrixView<const float> values(std::size_t layer, std::size_t head) const;

  /// (L, d): what the block's queries and keys are made from, after the layer norm where there is one before the
  /// block; empty when the graph has no such tensor.
  [[nodiscard]] MatrixView<const float> hidden(std::size_t layer) const;

  /// (L, d): the residual stream entering the first block (token plus position embedding); empty likewise.
  [[nodiscard]] MatrixView<const float> embedding() const;

  /// The tokens each query sees; the same for all heads of a layer.
  [[nodiscard]] const Visibility& visibility(std::size_t layer) const { return blocks_[layer].rule.visibility; }

  [[nodiscard]] bool has_bias(std::size_t layer) const { return !blocks_[layer].rule.bias.empty(); }

  /// Raw inner products q·k in float64, relative error of each at most head_dim·2⁻⁵² of Σ|q_c k_c|. Writes the rows of
  /// queries first, first+1, … (`out.rows` of them, `out.cols` = L); tokens after the last that a query sees are left
  /// as they were, hidden ones before it hold a number of no meaning.
  void logits(std::size_t layer, std::size_t head, std::size_t first, MatrixView<double> out) const;
  void logits(std::size_t layer, std::size_t head, MatrixView<double> out) const { logits(layer, head, 0, out); }

  /// What is added to scale·q·k, for visible tokens (others get 0); rows as in logits.
  void bias(std::size_t layer, std::size_t head, std::size_t first, MatrixView<double> out) const;

  /// The weights, exactly 0 for tokens a query does not see; a query that sees none has a row of zeros. Rows as in
  /// logits. Each row sums to 1 up to rounding; the exponentials are right to 1 ULP.
  void weights(std::size_t layer, std::size_t head, std::size_t first, MatrixView<double> out) const;
  void weights(std::size_t layer, std::size_t head, MatrixView<double> out) const { weights(layer, head, 0, out); }

 private:
  std::size_t tokens_;
  std::vector<BlockActivations> blocks_;
  std::vector<float> embedding_;
};

}  // namespace headroom::model
