#pragma once

#include <cstddef>
#include <vector>

#include "core/matrix_view.hpp"
#include "core/visibility.hpp"
#include "model/activations.hpp"

namespace headroom::app {

/// The logits of one head as its own softmax sees them, scale·q·k + bias, (queries × tokens) in float32; what a mask
/// hides within the range of a query is −∞. One head at a time: 4·tokens² bytes.
class HeadLogits {
 public:
  /// Takes the place of the head before. Throws Error(input) naming layer, head and query when a query sees no token.
  void load(const model::Activations& activations, std::size_t layer, std::size_t head);

  [[nodiscard]] MatrixView<const float> view() const { return {data_.data(), visibility_.queries(), tokens_}; }
  [[nodiscard]] const Visibility& visibility() const { return visibility_; }

 private:
  std::size_t tokens_ = 0;
  Visibility visibility_;
  std::vector<float> data_;
};

}  // namespace headroom::app
