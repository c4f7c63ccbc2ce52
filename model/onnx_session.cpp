#include "model/onnx_session.hpp"

#include <onnx/onnx_pb.h>
#include <onnxruntime_cxx_api.h>
#include <onnxruntime_session_options_config_keys.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"
#include "model/constant_folding.hpp"
#include "model/onnx_memory.hpp"
#include "model/onnx_weights.hpp"
#include "model/run_watch.hpp"

namespace headroom::model {
namespace {

/// ONNX Runtime's complaint on one line, without the tail of a stack trace.
std::string complaint(const std::exception& error) {
  constexpr std::size_t kLongest = 300;
  std::string text;
  for (const char c : std::string(error.what())) {
    if (c == '\n') break;
    text += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  }
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

/// Headers newer than the library leave the interface without functions, and the first call would crash.
void check_version(const std::string& place) {
  if (OrtGetApiBase()->GetApi(ORT_API_VERSION) != nullptr) return;
  throw_input("the installed ONNX Runtime " + std::string(OrtGetApiBase()->GetVersionString()) +
                  " is older than the one headroom was built for",
              place, "install ONNX Runtime 1." + std::to_string(ORT_API_VERSION) + " or later");
}

float from_half(std::uint16_t bits) { return Ort::Float16_t::FromBits(bits).ToFloat(); }

/// One element widened or narrowed to float32.
template <class T>
void convert(const Ort::Value& value, std::vector<float>& out) {
  const T* data = value.GetTensorData<T>();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(data[i]);
}

template <class T>
Ort::Value input_tensor(const Feed& feed) {
  Ort::AllocatorWithDefaultOptions allocator;
  Ort::Value value = Ort::Value::CreateTensor<T>(allocator, feed.shape.data(), feed.shape.size());
  T* data = value.GetTensorMutableData<T>();
  std::transform(feed.values.begin(), feed.values.end(), data, [](std::int64_t v) { return static_cast<T>(v); });
  return value;
}

Ort::Value input_value(const Feed& feed, const std::string& place) {
  switch (feed.type) {
    case onnx::TensorProto::INT64:
      return input_tensor<std::int64_t>(feed);
    case onnx::TensorProto::INT32:
      return input_tensor<std::int32_t>(feed);
    case onnx::TensorProto::FLOAT:
      return input_tensor<float>(feed);
    case onnx::TensorProto::DOUBLE:
      return input_tensor<double>(feed);
    case onnx::TensorProto::BOOL:
      return input_tensor<bool>(feed);
    case onnx::TensorProto::FLOAT16: {
      Ort::AllocatorWithDefaultOptions allocator;
      Ort::Value value = Ort::Value::CreateTensor<Ort::Float16_t>(allocator, feed.shape.data(), feed.shape.size());
      Ort::Float16_t* data = value.GetTensorMutableData<Ort::Float16_t>();
      for (std::size_t i = 0; i < feed.values.size(); ++i) data[i] = Ort::Float16_t(static_cast<float>(feed.values[i]));
      return value;
    }
    default:
      throw_input("input '" + feed.name + "' has an unusual element type", place, "export it as integers or floats");
  }
}

/// A session holds its weights, what it rearranges of them, and for a while both.
constexpr std::size_t kWeightCopies = 3;

/// A weight in memory of ours; ONNX Runtime numbers the types as ONNX does.
Ort::Value weight_value(const onnx::TensorProto& tensor, std::byte* data, std::size_t bytes) {
  const Ort::MemoryInfo memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
  return Ort::Value::CreateTensor(memory, data, bytes, tensor.dims().data(),
                                  static_cast<std::size_t>(tensor.dims_size()),
                                  static_cast<ONNXTensorElementDataType>(tensor.data_type()));
}

}  // namespace

struct SessionResults::Values {
  OnnxMemory::Reservation room;  ///< first, so that the values go before it
  std::vector<Ort::Value> values;
  std::vector<std::size_t> positions;
  std::vector<std::string> names;
  std::string place;
};

double Footprint::at(std::size_t length) const {
  const auto tokens = static_cast<double>(length);
  return fixed + tokens * (linear + tokens * quadratic);
}

Footprint SessionResults::footprint(std::size_t length) const {
  const auto tokens = static_cast<double>(length);
  Footprint result;
  for (const Ort::Value& value : values_->values) {
    if (!value || !value.IsTensor()) continue;
    const auto info = value.GetTensorTypeAndShapeInfo();
    const bool wide = info.GetElementType() == ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE ||
                      info.GetElementType() == ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64;
    const double bytes = static_cast<double>(info.GetElementCount()) * (wide ? sizeof(double) : sizeof(float));
    const std::vector<std::int64_t> shape = info.GetShape();
    const auto growing = std::count_if(shape.begin(), shape.end(), [&](std::int64_t extent) {
      return extent > 0 && extent % static_cast<std::int64_t>(length) == 0;
    });
    if (growing == 0) {
      result.fixed += bytes;
    } else if (growing == 1) {
      result.linear += bytes / tokens;
    } else {
      result.quadratic += bytes / (tokens * tokens);
    }
  }
  return result;
}

SessionResults::SessionResults(std::unique_ptr<Values> values) : values_(std::move(values)) {}
SessionResults::SessionResults(SessionResults&&) noexcept = default;
SessionResults::~SessionResults() = default;

Tensor SessionResults::take(std::size_t position) {
  const auto found = std::find(values_->positions.begin(), values_->positions.end(), position);
  assert(found != values_->positions.end());
  const auto index = static_cast<std::size_t>(found - values_->positions.begin());
  const Ort::Value value = std::move(values_->values[index]);
  const std::string where = values_->place + ", tensor '" + values_->names[index] + "'";
  if (!value || !value.IsTensor()) throw_input("no tensor where one was expected", where, "export the model again");
  const auto info = value.GetTensorTypeAndShapeInfo();
  Tensor tensor;
  for (const std::int64_t extent : info.GetShape()) tensor.shape.push_back(static_cast<std::size_t>(extent));
  tensor.values.resize(info.GetElementCount());
  switch (info.GetElementType()) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
      convert<float>(value, tensor.values);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE:
      convert<double>(value, tensor.values);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64:
      convert<std::int64_t>(value, tensor.values);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32:
      convert<std::int32_t>(value, tensor.values);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
      convert<std::uint8_t>(value, tensor.values);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL:
      convert<bool>(value, tensor.values);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16: {
      const auto* data = value.GetTensorData<Ort::Float16_t>();
      std::transform(data, data + tensor.values.size(), tensor.values.begin(),
                     [](const Ort::Float16_t& half) { return from_half(half.val); });
      tensor.half = true;
      break;
    }
    default:
      throw_input("an element type that is not supported", where, "export in float32 or float16");
  }
  return tensor;
}

struct OnnxSession::Impl {
  std::string place;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::optional<OnnxMemory::Reservation> room;
  mutable Ort::Session session{nullptr};
};

OnnxSession::OnnxSession(OnnxFile& file, std::vector<std::string> outputs, int threads)
    : impl_(std::make_unique<Impl>()) {
  check_version(file.place);
  impl_->place = file.place;
  impl_->outputs = std::move(outputs);
  for (const onnx::ValueInfoProto& input : file.proto->graph().input()) impl_->inputs.push_back(input.name());
  // The session copies what it is given, so this block ends with its creation.
  const bool folds = folds_in_bounds(Graph(file.proto->graph(), file.place), file.proto->graph());
  const WeightBlock weights(file.path, file.proto->graph(), file.weights);
  std::vector<std::string> names;
  std::vector<Ort::Value> values;
  std::string bytes;
  if (!file.proto->SerializeToString(&bytes)) {
    throw_input("the graph and its weights exceed 2 GiB", file.place, "store the weights as external data");
  }
  try {
    for (const onnx::TensorProto& tensor : file.proto->graph().initializer()) {
      const auto place = weights.places().find(tensor.name());
      if (place == weights.places().end()) continue;
      names.push_back(tensor.name());
      values.push_back(weight_value(tensor, place->second, file.weights.at(tensor.name()).bytes));
    }
    file.proto->Clear();
    OnnxEnvironment& environment = OnnxEnvironment::instance();
    impl_->room.emplace(environment.memory(), kWeightCopies * file.bytes());
    Ort::SessionOptions options;
    options.SetIntraOpNumThreads(std::max(1, threads));
    options.SetInterOpNumThreads(1);
    options.SetLogSeverityLevel(ORT_LOGGING_LEVEL_FATAL);
    options.SetGraphOptimizationLevel(ORT_ENABLE_EXTENDED);
    // What follows a forward pass needs the cores that spinning workers would hold.
    options.AddConfigEntry(kOrtSessionOptionsConfigAllowIntraOpSpinning, "0");
    if (!folds) options.AddConfigEntry(kOrtSessionOptionsDisableSpecifiedOptimizers, "ConstantFolding");
    options.AddConfigEntry(kOrtSessionOptionsConfigUseEnvAllocators, "1");
    options.AddConfigEntry(kOrtSessionOptionsModelExternalInitializersFileFolderPath, file.folder.c_str());
    if (!names.empty()) options.AddExternalInitializers(names, values);
    impl_->session = Ort::Session(environment.env(), bytes.data(), bytes.size(), options);
  } catch (const std::exception& error) {
    throw_input("ONNX Runtime does not accept the model: " + complaint(error), file.place, "export the model again");
  }
}

OnnxSession::OnnxSession(OnnxSession&&) noexcept = default;
OnnxSession& OnnxSession::operator=(OnnxSession&&) noexcept = default;
OnnxSession::~OnnxSession() = default;

const std::vector<std::string>& OnnxSession::inputs() const { return impl_->inputs; }

SessionResults OnnxSession::run(std::span<const Feed> feeds, std::span<const std::size_t> wanted,
                                RunLimits limits) const {
  OnnxMemory& memory = OnnxEnvironment::instance().memory();
  std::unique_ptr<SessionResults::Values> results(
      new SessionResults::Values{{memory, static_cast<std::size_t>(limits.bytes)}, {}, {}, {}, impl_->place});
  std::vector<const char*> input_names;
  std::vector<const char*> output_names;
  for (const Feed& feed : feeds) input_names.push_back(feed.name.c_str());
  for (const std::size_t position : wanted) {
    output_names.push_back(impl_->outputs[position].c_str());
    results->positions.push_back(position);
    results->names.push_back(impl_->outputs[position]);
  }
  const std::size_t refused_before = memory.refusals();
  Ort::RunOptions options;
  const RunWatch watch(limits.seconds, [&options] { options.SetTerminate(); });
  try {
    std::vector<Ort::Value> inputs;
    for (const Feed& feed : feeds) inputs.push_back(input_value(feed, impl_->place));
    results->values = impl_->session.Run(options, input_names.data(), inputs.data(), inputs.size(), output_names.data(),
                                         output_names.size());
  } catch (const std::exception& error) {
    if (memory.refusals() != refused_before) {
      throw_input("running the model takes more than " + std::to_string(std::llround(limits.bytes / (1U << 20U))) +
                      " MiB beside its weights",
                  impl_->place, "shorten the text, or look for the node that makes so large a tensor");
    }
    if (watch.ended()) {
      throw_input("running the model takes longer than " + std::to_string(std::llround(limits.seconds)) + " s",
                  impl_->place, "shorten the text, or look for a loop that does not end");
    }
    throw_input("ONNX Runtime could not run the model: " + complaint(error), impl_->place, "export the model again");
  }
  return SessionResults(std::move(results));
}

}  // namespace headroom::model
