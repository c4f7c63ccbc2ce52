#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/model/onnx_builder.hpp"

namespace headroom::bench {

/// The shape of a GPT-2; the defaults are those of the one with 124 million parameters.
struct Gpt2Shape {
  std::int64_t layers = 12;
  std::int64_t heads = 12;
  std::int64_t width = 768;  ///< a multiple of heads; the MLP is four times as wide
  std::int64_t vocabulary = 50257;
  std::int64_t context = 1024;
};

/// A float32 tensor of the model, and the normal law its elements start from.
struct Gpt2Weight {
  std::string name;  ///< as in the published checkpoint
  std::vector<std::int64_t> shape;
  double mean = 0.0;
  double deviation = 0.0;

  [[nodiscard]] std::int64_t count() const;
};

/// The graph that PyTorch's exporter gives for a GPT-2 with eager attention (opset 13, input_ids of any batch and
/// length up to the context), without its weights, and the weights it still needs as initializers.
///
/// They start as GPT-2's do: matrices and embeddings from N(0, 0.02²), projections into the residual stream from
/// N(0, 0.02² / (2·layers)), gains 1, biases 0 (Radford et al. 2019, section 2.3).
struct Gpt2Graph {
  test::OnnxBuilder builder{13};
  std::vector<Gpt2Weight> weights;

  explicit Gpt2Graph(const Gpt2Shape& shape);
};

}  // namespace headroom::bench
