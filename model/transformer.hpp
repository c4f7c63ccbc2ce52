#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/activations.hpp"
#include "model/onnx_inputs.hpp"

namespace headroom::model {

/// One attention block as `inspect` lists it.
struct AttentionBlock {
  std::size_t layer = 0;  ///< from 0, in the order of computation
  std::string node;       ///< the softmax, as messages name it
  std::size_t heads = 0;
  std::size_t kv_heads = 0;  ///< heads with keys of their own; fewer than heads when keys are grouped
  std::size_t head_dim = 0;
  double scale = 1.0;                ///< the total factor on q·k before the softmax
  bool causal = false;               ///< no head gives any weight to a later token
  bool bias = false;                 ///< something is added to the scores (ALiBi, relative positions)
  std::vector<std::string> vectors;  ///< of "embedding", "hidden", "value": those available
};

/// A transformer exported to ONNX with eager attention, ready to yield the insides of its attention blocks.
class Transformer {
 public:
  /// Reads the graph, finds its attention blocks and runs a short prompt, in which every block's weights, recomputed
  /// from queries, keys, scale and mask, must agree with the graph's own softmax to 1e-5. What depends on the input
  /// (scale, causality, grouped keys, the longest sequence) is settled by that run.
  ///
  /// @param threads for the forward pass
  /// Errors (Fault::input): everything read_onnx_file, ModelInputs, find_attention and BlockReader refuse, and what
  /// ONNX Runtime cannot load or run; each names the file, and the node, tensor or block at fault.
  [[nodiscard]] static Transformer load(const std::filesystem::path& path, int threads);

  Transformer(Transformer&&) noexcept;
  Transformer& operator=(Transformer&&) noexcept;
  ~Transformer();

  [[nodiscard]] const std::vector<AttentionBlock>& blocks() const;

  /// The longest sequence the model takes: its only length when the axis is fixed, else what its tables of positions
  /// allow; nothing when nothing limits it.
  [[nodiscard]] std::optional<std::size_t> context() const;

  /// True when the model takes sequences of exactly context() tokens and no other.
  [[nodiscard]] bool fixed_length() const;

  /// Number of tokens in the embedding table; nothing when the tokens are not looked up in a stored table.
  [[nodiscard]] std::optional<std::size_t> vocabulary() const;

  [[nodiscard]] std::vector<ModelInput> inputs() const;

  /// Files of external data the model was loaded with, relative to its folder, in order of name.
  [[nodiscard]] const std::vector<std::string>& data_files() const;

  /// One forward pass over a sequence, for all blocks. The last rows of every block's weights are checked against the
  /// graph's softmax again, at this length. Neither the logits of the language model nor whole attention matrices are
  /// kept. May be called from several threads at once.
  ///
  /// Errors (Fault::input): no tokens, more than context() or not fixed_length(), an id outside the vocabulary (with
  /// its position), and what ONNX Runtime reports.
  [[nodiscard]] Activations forward(std::span<const std::int64_t> ids) const;

 private:
  struct Impl;
  explicit Transformer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace headroom::model
