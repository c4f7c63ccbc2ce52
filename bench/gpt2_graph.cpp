#include "bench/gpt2_graph.hpp"

#include <onnx/onnx_pb.h>

#include <cmath>
#include <limits>
#include <utility>

namespace headroom::bench {
namespace {

class Writer {
 public:
  Writer(const Gpt2Shape& shape, test::OnnxBuilder& builder, std::vector<Gpt2Weight>& weights)
      : shape_(shape), b_(builder), weights_(weights) {}

  void write() {
    const std::string ids = b_.input("input_ids", onnx::TensorProto::INT64, {"batch", "sequence"});
    length_ = b_.with("Gather", {b_.node("Shape", {ids}), b_.integers({1})}, "axis", std::int64_t{0});
    const std::string embedding = matrix("wte.weight", shape_.vocabulary, shape_.width);
    std::string x = b_.node("Gather", {embedding, ids});
    x = b_.node("Add", {x, b_.node("Gather", {matrix("wpe.weight", shape_.context, shape_.width), positions()})});
    visible_ = causal_mask();
    for (std::int64_t layer = 0; layer < shape_.layers; ++layer) x = block(x, "h." + std::to_string(layer));
    b_.output(b_.node("MatMul", {layer_norm(x, "ln_f"), b_.transpose(embedding, {1, 0})}));
  }

 private:
  std::string matrix(const std::string& name, std::int64_t rows, std::int64_t columns, double deviation = 0.02) {
    weights_.push_back({name, {rows, columns}, 0.0, deviation});
    return name;
  }

  std::string vector(const std::string& name, std::int64_t size, double value) {
    weights_.push_back({name, {size}, value, 0.0});
    return name;
  }

  std::string positions() {
    const std::string end = b_.node("Squeeze", {length_});
    return b_.unsqueeze(b_.node("Range", {b_.integer(0), end, b_.integer(1)}), 0);
  }

  /// The stored triangle, cut to (1, 1, L, L).
  std::string causal_mask() {
    const auto context = static_cast<std::size_t>(shape_.context);
    std::vector<bool> triangle(context * context);
    for (std::size_t i = 0; i < context; ++i) {
      for (std::size_t j = 0; j <= i; ++j) triangle[i * context + j] = true;
    }
    const std::string stored = b_.bools("visible", {1, 1, shape_.context, shape_.context}, triangle);
    const std::string zero = b_.integers({0});
    return b_.slice(b_.slice(stored, zero, length_, 2), zero, length_, 3);
  }

  std::string layer_norm(const std::string& x, const std::string& name) {
    const std::string gain = vector(name + ".weight", shape_.width, 1.0);
    return b_.layer_norm(x, gain, vector(name + ".bias", shape_.width, 0.0));
  }

  std::string linear(const std::string& x, const std::string& name, std::int64_t inputs, std::int64_t outputs,
                     double deviation = 0.02) {
    const std::string weight = matrix(name + ".weight", inputs, outputs, deviation);
    const std::string flat =
        b_.node("Gemm", {b_.reshape(x, {-1, inputs}), weight, vector(name + ".bias", outputs, 0.0)});
    const std::string extents =
        b_.with("Concat", {b_.integers({-1}), length_, b_.integers({outputs})}, "axis", std::int64_t{0});
    return b_.node("Reshape", {flat, extents});
  }

  std::string into_stream(const std::string& x, const std::string& name, std::int64_t inputs) {
    return linear(x, name, inputs, shape_.width, 0.02 / std::sqrt(2.0 * static_cast<double>(shape_.layers)));
  }

  std::string attention(const std::string& x, const std::string& name) {
    const std::int64_t width = shape_.width;
    const std::int64_t head_dim = width / shape_.heads;
    const test::OnnxBuilder::Names parts =
        b_.split(linear(x, name + ".c_attn", width, 3 * width), {width, width, width}, 2);
    const auto per_head = [&](const std::string& part, const std::vector<std::int64_t>& axes) {
      return b_.transpose(b_.reshape(part, {0, 0, shape_.heads, head_dim}), axes);
    };
    std::string scores = b_.node("MatMul", {per_head(parts[0], {0, 2, 1, 3}), per_head(parts[1], {0, 2, 3, 1})});
    scores = b_.node("Div", {scores, b_.scalar(std::sqrt(static_cast<float>(head_dim)))});
    scores = b_.node("Where", {visible_, scores, b_.scalar(std::numeric_limits<float>::lowest())});
    const std::string weights = b_.with("Softmax", {scores}, "axis", std::int64_t{-1});
    const std::string mixed = b_.node("MatMul", {weights, per_head(parts[2], {0, 2, 1, 3})});
    return into_stream(b_.reshape(b_.transpose(mixed, {0, 2, 1, 3}), {0, 0, width}), name + ".c_proj", width);
  }

  /// GELU by its tanh form: x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))).
  std::string gelu(const std::string& x) {
    const std::string cubed = b_.node("Mul", {b_.node("Pow", {x, b_.scalar(3.0F)}), b_.scalar(0.044715F)});
    const std::string inner = b_.node("Mul", {b_.node("Add", {x, cubed}), b_.scalar(0.7978845608F)});
    const std::string gate = b_.node("Add", {b_.node("Tanh", {inner}), b_.scalar(1.0F)});
    return b_.node("Mul", {b_.node("Mul", {x, b_.scalar(0.5F)}), gate});
  }

  std::string block(const std::string& x, const std::string& name) {
    const std::string y = b_.node("Add", {x, attention(layer_norm(x, name + ".ln_1"), name + ".attn")});
    const std::string inner =
        gelu(linear(layer_norm(y, name + ".ln_2"), name + ".mlp.c_fc", shape_.width, 4 * shape_.width));
    return b_.node("Add", {y, into_stream(inner, name + ".mlp.c_proj", 4 * shape_.width)});
  }

  const Gpt2Shape& shape_;
  test::OnnxBuilder& b_;
  std::vector<Gpt2Weight>& weights_;
  std::string length_;
  std::string visible_;
};

}  // namespace

std::int64_t Gpt2Weight::count() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) product *= extent;
  return product;
}

Gpt2Graph::Gpt2Graph(const Gpt2Shape& shape) {
  builder.model().set_producer_name("headroom_write_gpt2");
  builder.graph().set_name("gpt2");
  Writer(shape, builder, weights).write();
}

}  // namespace headroom::bench
