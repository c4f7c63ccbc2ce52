#include "onnx_builder.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fstream>

namespace headroom::test {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0;
}

/// Round to nearest is not needed here: the truncated mantissa is a float16 all the same.
std::uint16_t to_half(float value) {
  constexpr float kLargest = 65504.0F;
  value = std::min(std::max(value, -kLargest), kLargest);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const int exponent = static_cast<int>((bits >> 23U) & 0xFFU) - 127 + 15;
  if (exponent <= 0) return static_cast<std::uint16_t>(sign);
  return static_cast<std::uint16_t>(sign | (static_cast<std::uint32_t>(exponent) << 10U) | ((bits >> 13U) & 0x3FFU));
}

}  // namespace

OnnxBuilder::OnnxBuilder(int opset) : opset_(opset), model_(std::make_unique<onnx::ModelProto>()) {
  model_->set_ir_version(7);
  model_->set_producer_name("headroom tests");
  onnx::OperatorSetIdProto& set = *model_->add_opset_import();
  set.set_domain("");
  set.set_version(opset);
  model_->mutable_graph()->set_name("synthetic");
}

OnnxBuilder::OnnxBuilder(OnnxBuilder&&) noexcept = default;
OnnxBuilder::~OnnxBuilder() = default;

onnx::GraphProto& OnnxBuilder::graph() { return *model_->mutable_graph(); }

std::string OnnxBuilder::fresh(const std::string& stem) { return "/" + stem + "_" + std::to_string(count_++); }

std::string OnnxBuilder::input(const std::string& name, int type, const Names& axes) {
  onnx::ValueInfoProto& value = *graph().add_input();
  value.set_name(name);
  onnx::TypeProto_Tensor& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape();
  for (const std::string& axis : axes) {
    onnx::TensorShapeProto_Dimension& dim = *tensor.mutable_shape()->add_dim();
    if (is_number(axis)) {
      dim.set_dim_value(std::stoll(axis));
    } else if (!axis.empty()) {
      dim.set_dim_param(axis);
    }
  }
  return name;
}

void OnnxBuilder::output(const std::string& name) {
  onnx::ValueInfoProto& value = *graph().add_output();
  value.set_name(name);
  value.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
}

std::string OnnxBuilder::floats(const std::string& name, const std::vector<std::int64_t>& shape,
                                const std::vector<float>& values) {
  onnx::TensorProto& tensor = *graph().add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  for (const std::int64_t extent : shape) tensor.add_dims(extent);
  tensor.set_raw_data(values.data(), values.size() * sizeof(float));
  return name;
}

std::string OnnxBuilder::integers(const std::vector<std::int64_t>& values) {
  onnx::TensorProto& tensor = *graph().add_initializer();
  tensor.set_name(fresh("integers"));
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::int64_t value : values) tensor.add_int64_data(value);
  return tensor.name();
}

std::string OnnxBuilder::integer(std::int64_t value) {
  onnx::TensorProto& tensor = *graph().add_initializer();
  tensor.set_name(fresh("integer"));
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_int64_data(value);
  return tensor.name();
}

std::string OnnxBuilder::scalar(float value) {
  std::string name = node("Constant", {});
  onnx::AttributeProto& attribute = *last().add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  attribute.mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
  attribute.mutable_t()->add_float_data(value);
  return name;
}

std::string OnnxBuilder::bools(const std::string& name, const std::vector<std::int64_t>& shape,
                               const std::vector<bool>& values) {
  onnx::TensorProto& tensor = *graph().add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::BOOL);
  for (const std::int64_t extent : shape) tensor.add_dims(extent);
  for (const bool value : values) tensor.add_int32_data(value ? 1 : 0);
  return name;
}

std::string OnnxBuilder::weight(const std::string& name, const std::vector<std::int64_t>& shape, float scale,
                                bool half) {
  std::uint64_t state = 88172645463325252ULL;
  for (const char c : name) state = (state ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  std::vector<float> values(count);
  for (float& value : values) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto unit = static_cast<float>(static_cast<double>(state >> 33U) / 2147483648.0);
    value = scale * (2.0F * unit - 1.0F);
  }
  if (!half) return floats(name, shape, values);
  onnx::TensorProto& tensor = *graph().add_initializer();
  tensor.set_name(name + "_half");
  tensor.set_data_type(onnx::TensorProto::FLOAT16);
  for (const std::int64_t extent : shape) tensor.add_dims(extent);
  for (const float value : values) tensor.add_int32_data(to_half(value));
  return with("Cast", {tensor.name()}, "to", onnx::TensorProto::FLOAT);
}

std::string OnnxBuilder::node(const std::string& op, const Names& inputs) {
  onnx::NodeProto& made = *graph().add_node();
  made.set_op_type(op);
  made.set_name(fresh(op));
  for (const std::string& input : inputs) made.add_input(input);
  made.add_output(made.name() + "_output");
  return made.output(0);
}

onnx::NodeProto& OnnxBuilder::last() { return *graph().mutable_node(graph().node_size() - 1); }

std::string OnnxBuilder::with(const std::string& op, const Names& inputs, const std::string& attribute,
                              std::int64_t value) {
  std::string name = node(op, inputs);
  onnx::AttributeProto& made = *last().add_attribute();
  made.set_name(attribute);
  made.set_type(onnx::AttributeProto::INT);
  made.set_i(value);
  return name;
}

std::string OnnxBuilder::with(const std::string& op, const Names& inputs, const std::string& attribute,
                              const std::vector<std::int64_t>& values) {
  std::string name = node(op, inputs);
  onnx::AttributeProto& made = *last().add_attribute();
  made.set_name(attribute);
  made.set_type(onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) made.add_ints(value);
  return name;
}

std::string OnnxBuilder::with(const std::string& op, const Names& inputs, const std::string& attribute,
                              const std::string& text) {
  std::string name = node(op, inputs);
  onnx::AttributeProto& made = *last().add_attribute();
  made.set_name(attribute);
  made.set_type(onnx::AttributeProto::STRING);
  made.set_s(text);
  return name;
}

std::string OnnxBuilder::reshape(const std::string& x, const std::vector<std::int64_t>& shape) {
  return node("Reshape", {x, integers(shape)});
}

std::string OnnxBuilder::transpose(const std::string& x, const std::vector<std::int64_t>& axes) {
  return with("Transpose", {x}, "perm", axes);
}

std::string OnnxBuilder::unsqueeze(const std::string& x, std::int64_t axis) {
  if (opset_ < 13) return with("Unsqueeze", {x}, "axes", std::vector<std::int64_t>{axis});
  return node("Unsqueeze", {x, integers({axis})});
}

std::string OnnxBuilder::slice(const std::string& x, const std::string& begin, const std::string& end,
                               std::int64_t axis) {
  return node("Slice", {x, begin, end, integers({axis})});
}

OnnxBuilder::Names OnnxBuilder::split(const std::string& x, const std::vector<std::int64_t>& sizes, std::int64_t axis) {
  Names inputs = {x};
  if (opset_ >= 13) inputs.push_back(integers(sizes));
  const std::string first = with("Split", inputs, "axis", axis);
  Names names = {first};
  onnx::NodeProto& made = last();
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    names.push_back(first + std::to_string(i));
    made.add_output(names.back());
  }
  if (opset_ < 13) {
    onnx::AttributeProto& attribute = *made.add_attribute();
    attribute.set_name("split");
    attribute.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t size : sizes) attribute.add_ints(size);
  }
  return names;
}

std::string OnnxBuilder::layer_norm(const std::string& x, const std::string& name, std::int64_t width) {
  const std::string gain = weight(name + ".weight", {width}, 1.0F);
  return layer_norm(x, gain, weight(name + ".bias", {width}, 0.1F));
}

std::string OnnxBuilder::layer_norm(const std::string& x, const std::string& gain, const std::string& shift) {
  if (opset_ >= 17) return with("LayerNormalization", {x, gain, shift}, "axis", std::int64_t{-1});
  const std::vector<std::int64_t> last_axis = {-1};
  const std::string centred = node("Sub", {x, with("ReduceMean", {x}, "axes", last_axis)});
  const std::string squares = node("Pow", {centred, scalar(2.0F)});
  const std::string variance = with("ReduceMean", {squares}, "axes", last_axis);
  const std::string deviation = node("Sqrt", {node("Add", {variance, scalar(1e-5F)})});
  return node("Add", {node("Mul", {node("Div", {centred, deviation}), gain}), shift});
}

void OnnxBuilder::halve() {
  const auto halved = [](onnx::TensorProto& tensor) {
    if (tensor.data_type() != onnx::TensorProto::FLOAT) return;
    std::vector<float> values(tensor.float_data().begin(), tensor.float_data().end());
    if (values.empty()) {
      values.resize(tensor.raw_data().size() / sizeof(float));
      std::memcpy(values.data(), tensor.raw_data().data(), tensor.raw_data().size());
    }
    tensor.clear_raw_data();
    tensor.clear_float_data();
    tensor.set_data_type(onnx::TensorProto::FLOAT16);
    for (const float value : values) tensor.add_int32_data(to_half(value));
  };
  for (onnx::TensorProto& tensor : *graph().mutable_initializer()) halved(tensor);
  for (onnx::NodeProto& node : *graph().mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t()) halved(*attribute.mutable_t());
      if (attribute.name() == "to" && attribute.i() == onnx::TensorProto::FLOAT)
        attribute.set_i(onnx::TensorProto::FLOAT16);
    }
  }
  for (onnx::ValueInfoProto& output : *graph().mutable_output()) {
    output.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT16);
  }
}

std::vector<float> OnnxBuilder::stored(const std::string& name) const {
  for (const onnx::TensorProto& tensor : model_->graph().initializer()) {
    if (tensor.name() != name) continue;
    std::vector<float> values(tensor.raw_data().size() / sizeof(float));
    std::memcpy(values.data(), tensor.raw_data().data(), tensor.raw_data().size());
    return values;
  }
  return {};
}

void OnnxBuilder::save(const std::filesystem::path& path) const {
  std::ofstream stream(path, std::ios::binary);
  model_->SerializeToOstream(&stream);
}

}  // namespace headroom::test
