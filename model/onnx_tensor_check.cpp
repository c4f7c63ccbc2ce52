#include "model/onnx_tensor_check.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <vector>

#include "core/error.hpp"
#include "model/onnx_file.hpp"

namespace headroom::model {
namespace {

namespace fs = std::filesystem;

/// Bytes per element in raw data; 0 for types that have none or that are no numbers.
std::size_t element_size(std::int32_t type) {
  switch (type) {
    case onnx::TensorProto::BOOL:
    case onnx::TensorProto::INT8:
    case onnx::TensorProto::UINT8:
      return 1;
    case onnx::TensorProto::FLOAT16:
    case onnx::TensorProto::BFLOAT16:
    case onnx::TensorProto::INT16:
    case onnx::TensorProto::UINT16:
      return 2;
    case onnx::TensorProto::FLOAT:
    case onnx::TensorProto::INT32:
    case onnx::TensorProto::UINT32:
      return 4;
    case onnx::TensorProto::DOUBLE:
    case onnx::TensorProto::INT64:
    case onnx::TensorProto::UINT64:
    case onnx::TensorProto::COMPLEX64:
      return 8;
    case onnx::TensorProto::COMPLEX128:
      return 16;
    default:
      return 0;
  }
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Elements of a tensor that the file does not hold but tells the runtime to make.
constexpr double kLargestMade = kLargestTensor / 16;

class Checker {
 public:
  Checker(const fs::path& path, std::string place) : path_(path), place_(std::move(place)) {}

  void model(const onnx::ModelProto& proto) {
    graph(proto.graph());
    for (const onnx::FunctionProto& function : proto.functions()) {
      name(function.name(), "a function");
      for (const onnx::NodeProto& each : function.node()) node(each);
    }
  }

  [[nodiscard]] std::vector<std::string> data_files() const {
    std::vector<std::string> files;
    for (const auto& [location, size] : external_) {
      if (fs::path(location).lexically_normal() != path_.filename()) files.push_back(location);
    }
    std::sort(files.begin(), files.end());
    return files;
  }

 private:
  void graph(const onnx::GraphProto& proto) {
    for (const onnx::TensorProto& each : proto.initializer()) tensor(each, each.name());
    for (const onnx::SparseTensorProto& each : proto.sparse_initializer()) sparse(each);
    for (const onnx::ValueInfoProto& each : proto.input()) value_info(each);
    for (const onnx::ValueInfoProto& each : proto.output()) name(each.name(), "an output");
    for (const onnx::NodeProto& each : proto.node()) node(each);
  }

  void node(const onnx::NodeProto& proto) {
    name(proto.name(), "a node");
    name(proto.op_type(), "an operator");
    name(proto.domain(), "an operator's domain");
    for (const std::string& each : proto.input()) name(each, "a node's input");
    for (const std::string& each : proto.output()) name(each, "a node's output");
    const std::string& owner = proto.name().empty() && proto.output_size() > 0 ? proto.output(0) : proto.name();
    for (const onnx::AttributeProto& attribute : proto.attribute()) {
      name(attribute.name(), "an attribute");
      if (attribute.has_t()) tensor(attribute.t(), owner);
      if (attribute.has_g()) graph(attribute.g());
      if (attribute.has_sparse_tensor()) sparse(attribute.sparse_tensor());
      for (const onnx::TensorProto& each : attribute.tensors()) tensor(each, owner);
      for (const onnx::GraphProto& each : attribute.graphs()) graph(each);
    }
    if (proto.op_type() == "Constant" && proto.output_size() == 1 && proto.attribute_size() == 1 &&
        proto.attribute(0).has_t()) {
      constants_[proto.output(0)] = &proto.attribute(0).t();
    }
    claimed_shape(proto, owner);
  }

  void tensor(const onnx::TensorProto& proto, const std::string& owner) {
    name(proto.name(), "a tensor");
    const std::string where = place_ + ", tensor '" + owner + "'";
    const double count = elements(proto.dims(), where);
    if (!proto.name().empty()) constants_[proto.name()] = &proto;
    const std::size_t width = element_size(proto.data_type());
    if (proto.data_location() == onnx::TensorProto::EXTERNAL) {
      external(proto, static_cast<std::uint64_t>(count) * width, where);
      return;
    }
    if (width == 0) return;
    const double held = proto.has_raw_data() && !proto.raw_data().empty()
                            ? static_cast<double>(proto.raw_data().size()) / static_cast<double>(width)
                            : typed_elements(proto);
    if (held != count) damaged("its data do not have the number of elements its shape says", where);
  }

  static double typed_elements(const onnx::TensorProto& proto) {
    switch (proto.data_type()) {
      case onnx::TensorProto::FLOAT:
        return proto.float_data_size();
      case onnx::TensorProto::COMPLEX64:
        return proto.float_data_size() / 2.0;
      case onnx::TensorProto::DOUBLE:
        return proto.double_data_size();
      case onnx::TensorProto::COMPLEX128:
        return proto.double_data_size() / 2.0;
      case onnx::TensorProto::INT64:
        return proto.int64_data_size();
      case onnx::TensorProto::UINT32:
      case onnx::TensorProto::UINT64:
        return proto.uint64_data_size();
      default:
        return proto.int32_data_size();
    }
  }

  void sparse(const onnx::SparseTensorProto& proto) {
    const std::string where = place_ + ", sparse tensor '" + proto.values().name() + "'";
    // The runtime makes it dense, so the claim counts, not the few values held.
    if (elements(proto.dims(), where) > kLargestMade) damaged("a sparse tensor too large to be made dense", where);
    tensor(proto.values(), proto.values().name());
    tensor(proto.indices(), proto.indices().name());
  }

  void value_info(const onnx::ValueInfoProto& proto) {
    name(proto.name(), "an input");
    for (const onnx::TensorShapeProto::Dimension& dim : proto.type().tensor_type().shape().dim()) {
      name(dim.dim_param(), "an input's axis");
    }
  }

  /// Operators that make a tensor out of a shape alone allocate it before anything can fail gracefully.
  void claimed_shape(const onnx::NodeProto& proto, const std::string& owner) {
    const std::string& type = proto.op_type();
    const int operand = type == "ConstantOfShape" ? 0 : type == "Expand" || type == "Tile" ? 1 : -1;
    if (operand < 0 || proto.input_size() <= operand) return;
    const auto found = constants_.find(proto.input(operand));
    if (found == constants_.end() || found->second->data_type() != onnx::TensorProto::INT64) return;
    const onnx::TensorProto& shape = *found->second;
    if (shape.data_location() == onnx::TensorProto::EXTERNAL) return;
    std::vector<std::int64_t> dims(shape.int64_data().begin(), shape.int64_data().end());
    if (!shape.raw_data().empty()) {
      dims.resize(shape.raw_data().size() / sizeof(std::int64_t));
      std::memcpy(dims.data(), shape.raw_data().data(), dims.size() * sizeof(std::int64_t));
    }
    for (std::int64_t& dim : dims) dim = dim == -1 ? 1 : dim;
    const std::string where = place_ + ", node '" + owner + "'";
    if (elements(dims, where) > kLargestMade) damaged("it asks for a tensor of more than 2^28 elements", where);
  }

  void external(const onnx::TensorProto& proto, std::uint64_t bytes, const std::string& where) {
    std::string location;
    std::uint64_t offset = 0;
    for (const onnx::StringStringEntryProto& entry : proto.external_data()) {
      if (entry.key() == "location") location = entry.value();
      if (entry.key() != "offset" && entry.key() != "length") continue;
      const std::optional<std::uint64_t> value = whole_number(entry.value());
      if (!value) damaged("the " + entry.key() + " of its external data is no whole number", where);
      if (entry.key() == "offset") offset = *value;
      if (entry.key() == "length" && *value != bytes) {
        damaged("its data do not have the length its shape says", where);
      }
    }
    const std::uintmax_t available = external_size(location, where);
    if (offset > available || bytes > available - offset) {
      throw_input("external data file '" + location + "' is too short", where, "copy it again, beside the model");
    }
  }

  std::uintmax_t external_size(const std::string& location, const std::string& where) {
    name(location, "an external data file");
    if (const auto known = external_.find(location); known != external_.end()) return known->second;
    const std::string remedy = "keep the data file in the model's folder and name it by a relative path";
    const fs::path relative = fs::path(location).lexically_normal();
    const bool escapes = location.empty() || location.find('\0') != std::string::npos || relative.is_absolute() ||
                         (!relative.empty() && *relative.begin() == "..");
    if (escapes) throw_input("external data file '" + location + "' lies outside the model's folder", where, remedy);
    const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
    std::error_code failure;
    const fs::path data = fs::canonical(folder / relative, failure);
    if (failure || !fs::is_regular_file(data, failure)) {
      throw_input("external data file '" + location + "' is missing", where, "copy it beside the model");
    }
    // A download cache may hold the model and its data as links into one store: that store counts as the folder too.
    if (!inside(data, fs::canonical(folder)) && !inside(data, fs::canonical(path_).parent_path())) {
      throw_input("external data file '" + location + "' lies outside the model's folder", where, remedy);
    }
    const std::uintmax_t size = fs::file_size(data, failure);
    if (failure) throw_input("external data file '" + location + "' cannot be read", where, "check its permissions");
    external_[location] = size;
    return size;
  }

  static bool inside(const fs::path& file, const fs::path& folder) {
    const fs::path relative = file.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
  }

  template <class Dims>
  static double elements(const Dims& dims, const std::string& where) {
    double count = 1;
    bool empty = false;
    for (const std::int64_t dim : dims) {
      if (dim < 0) damaged("a negative dimension", where);
      empty = empty || dim == 0;
      if (dim != 0) count *= static_cast<double>(dim);
    }
    if (count > kLargestTensor) damaged("a tensor with more than 2^32 elements", where);
    return empty ? 0 : count;
  }

  void name(const std::string& text, const std::string& what) {
    if (!is_utf8(text)) damaged("the name of " + what + " is no UTF-8", place_);
    // Names go into messages, and messages to terminals.
    const bool control =
        std::any_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; });
    if (control) damaged("the name of " + what + " holds control characters", place_);
  }

  [[noreturn]] static void damaged(const std::string& problem, const std::string& where) {
    throw_input(problem, where, "export or download the model again");
  }

  const fs::path& path_;
  std::string place_;
  std::unordered_map<std::string, const onnx::TensorProto*> constants_;
  std::unordered_map<std::string, std::uintmax_t> external_;
};

}  // namespace

std::vector<std::string> check_tensors(const onnx::ModelProto& proto, const std::filesystem::path& path,
                                       const std::string& place) {
  Checker checker(path, place);
  checker.model(proto);
  return checker.data_files();
}

}  // namespace headroom::model
