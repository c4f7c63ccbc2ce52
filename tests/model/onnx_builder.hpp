#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace onnx {
class GraphProto;
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace headroom::test {

/// Writes ONNX graphs node by node, the way an exporter would; tensors are known by their names.
class OnnxBuilder {
 public:
  explicit OnnxBuilder(int opset);
  OnnxBuilder(OnnxBuilder&&) noexcept;
  ~OnnxBuilder();

  using Names = std::vector<std::string>;

  /// An input; axes are numbers or symbols. Types are those of onnx::TensorProto.
  std::string input(const std::string& name, int type, const Names& axes);
  void output(const std::string& name);

  std::string floats(const std::string& name, const std::vector<std::int64_t>& shape, const std::vector<float>& values);
  std::string integers(const std::vector<std::int64_t>& values);
  std::string integer(std::int64_t value);  ///< a scalar
  std::string scalar(float value);          ///< a float scalar, as a Constant node
  std::string bools(const std::string& name, const std::vector<std::int64_t>& shape, const std::vector<bool>& values);

  /// Deterministic values uniform in [−scale, scale], different for every name; as float16 with a Cast behind when
  /// `half`.
  std::string weight(const std::string& name, const std::vector<std::int64_t>& shape, float scale, bool half = false);

  std::string node(const std::string& op, const Names& inputs);
  std::string with(const std::string& op, const Names& inputs, const std::string& attribute, std::int64_t value);
  std::string with(const std::string& op, const Names& inputs, const std::string& attribute,
                   const std::vector<std::int64_t>& values);
  std::string with(const std::string& op, const Names& inputs, const std::string& attribute, const std::string& text);
  onnx::NodeProto& last();  ///< the node made last

  std::string reshape(const std::string& x, const std::vector<std::int64_t>& shape);
  std::string transpose(const std::string& x, const std::vector<std::int64_t>& axes);
  std::string unsqueeze(const std::string& x, std::int64_t axis);
  std::string slice(const std::string& x, const std::string& begin, const std::string& end, std::int64_t axis);
  Names split(const std::string& x, const std::vector<std::int64_t>& sizes, std::int64_t axis);
  std::string layer_norm(const std::string& x, const std::string& gain, const std::string& shift);
  std::string layer_norm(const std::string& x, const std::string& name, std::int64_t width);  ///< of weights it makes

  /// Turns every float32 tensor, constant and Cast into float16, as a conversion of the whole model would.
  void halve();

  /// Values of a stored float32 tensor.
  [[nodiscard]] std::vector<float> stored(const std::string& name) const;

  [[nodiscard]] int opset() const { return opset_; }
  onnx::ModelProto& model() { return *model_; }
  onnx::GraphProto& graph();
  void save(const std::filesystem::path& path) const;

 private:
  std::string fresh(const std::string& stem);

  int opset_;
  int count_ = 0;
  std::unique_ptr<onnx::ModelProto> model_;
};

}  // namespace headroom::test
