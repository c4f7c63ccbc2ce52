#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace headroom::model {

/// A tensor of the graph, widened or narrowed to float32 whatever its type (booleans are 0 and 1); row-major.
struct Tensor {
  std::vector<std::size_t> shape;  ///< empty for a scalar
  std::vector<float> values;
  bool half = false;  ///< the graph computed it in 16 bits
};

/// Gives the tensor at a position among the outputs of a graph.
using TensorSource = std::function<std::shared_ptr<const Tensor>(std::size_t)>;

/// The first row of the batch of a tensor (batch, length, width); empty when the tensor is no such thing.
[[nodiscard]] std::vector<float> token_rows(const Tensor& tensor, std::size_t length, std::size_t batch);

}  // namespace headroom::model
