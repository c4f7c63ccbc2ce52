#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/graph_dataflow.hpp"
#include "model/graph_outputs.hpp"
#include "model/tensor.hpp"

namespace headroom::model {

/// Looks for what limits the length of a sequence: tables with one row per position (learned embeddings, stored cosines
/// and sines) and stored masks. Which of the graph's tables are such is found out by running it: a lookup whose indices
/// turn out to count up token by token, a slice that turns out to be as long as the sequence.
class LengthLimits {
 public:
  /// Notes candidates and asks for the outputs that will tell.
  LengthLimits(const Dataflow& flow, GraphOutputs& outputs);

  /// Positions of the outputs asked for.
  [[nodiscard]] std::vector<std::size_t> outputs() const;

  /// The longest sequence the tables allow, judged by a run over `length` tokens; nothing when none limits it.
  [[nodiscard]] std::optional<std::size_t> longest(const TensorSource& tensors, std::size_t length) const;

 private:
  struct Candidate {
    bool lookup = false;
    std::vector<std::size_t> extents;  ///< of the table
    std::size_t output = 0;            ///< indices of a lookup, or shape of a slice
  };
  std::vector<Candidate> candidates_;
};

/// Number of rows of the table the tokens are looked up in; nothing when they are not.
[[nodiscard]] std::optional<std::size_t> vocabulary_size(const Dataflow& flow, TensorId tokens);

}  // namespace headroom::model
