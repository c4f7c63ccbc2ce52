#include "model/constant_folding.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace headroom::model {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

double elements(const onnx::TensorProto& tensor) {
  return std::accumulate(tensor.dims().begin(), tensor.dims().end(), 1.0,
                         [](double product, std::int64_t extent) { return product * static_cast<double>(extent); });
}

/// The result has no more elements than the largest input.
bool keeps_size(std::string_view op) {
  static constexpr auto kOps = std::to_array<std::string_view>(
      {"Abs",      "Cast",    "Ceil",  "Cos",       "CumSum",     "Erf",       "Exp",        "Flatten",   "Floor",
       "Identity", "Log",     "Neg",   "Not",       "Reciprocal", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum",
       "Relu",     "Reshape", "Round", "Sigmoid",   "Sign",       "Sin",       "Slice",      "Softmax",   "Split",
       "Sqrt",     "Squeeze", "Tanh",  "Transpose", "Trilu",      "Unsqueeze"});
  return std::find(kOps.begin(), kOps.end(), op) != kOps.end();
}

/// The result has no more elements than the inputs' numbers of elements multiplied.
bool multiplies_sizes(std::string_view op) {
  static constexpr auto kOps =
      std::to_array<std::string_view>({"Add", "And", "Div", "Equal", "Gather", "Greater", "GreaterOrEqual", "Less",
                                       "LessOrEqual", "Max", "Min", "Mod", "Mul", "Or", "Pow", "Sub", "Where", "Xor"});
  return std::find(kOps.begin(), kOps.end(), op) != kOps.end();
}

/// Follows what cannot depend on the inputs through the graph.
class Folder {
 public:
  Folder(const Graph& graph, const onnx::GraphProto& proto) : graph_(graph), sizes_(graph.tensors()) {
    std::unordered_set<TensorId> inputs;
    for (const onnx::ValueInfoProto& input : proto.input()) {
      inputs.insert(graph.find(input.name()));
      for (const auto& axis : input.type().tensor_type().shape().dim()) {
        if (!axis.has_dim_value()) growing_.insert(graph.find(input.name()));
      }
    }
    for (TensorId id = 0; id < graph.tensors(); ++id) {
      const onnx::TensorProto* constant = graph.constant(id);
      if (constant != nullptr) {
        sizes_[id] = elements(*constant);
        stored_ += *sizes_[id];
      } else if (graph.producer(id) == kNone && !inputs.contains(id)) {
        sizes_[id] = kUnknown;
      }
    }
  }

  /// Elements of all that is made of constants.
  double folded() {
    double sum = 0;
    for (NodeId id = 0; id < graph_.nodes(); ++id) {
      const std::optional<double> size = made(id);
      if (!size || graph_.op(id) == "Constant") continue;
      for (const TensorId output : graph_.outputs(id)) {
        if (output == kNone) continue;
        sizes_[output] = size;
        sum += *size;
      }
    }
    return sum;
  }

  [[nodiscard]] double stored() const { return stored_; }

 private:
  /// Elements of each output; nothing when it depends on the graph's inputs.
  std::optional<double> made(NodeId id) const {
    const std::string_view op = graph_.op(id);
    const std::span<const TensorId> inputs = graph_.inputs(id);
    for (const onnx::AttributeProto& attribute : graph_.node(id).attribute()) {
      if (attribute.has_g() || attribute.graphs_size() > 0) return kUnknown;
    }
    if (op == "Shape" || op == "Size") return extents(inputs);
    double largest = 0;
    double sum = 0;
    double product = 1;
    for (const TensorId input : inputs) {
      if (input == kNone) continue;
      if (!sizes_[input]) return std::nullopt;
      largest = std::max(largest, *sizes_[input]);
      sum += *sizes_[input];
      product *= std::max(*sizes_[input], 1.0);
    }
    if (keeps_size(op)) return largest;
    if (multiplies_sizes(op)) return product;
    return op == "Concat" ? sum : kUnknown;
  }

  /// A shape may be known where the values are not, except that of an input with a symbol for an axis.
  std::optional<double> extents(std::span<const TensorId> inputs) const {
    constexpr double most_axes = 64;
    if (inputs.empty() || growing_.contains(inputs[0])) return std::nullopt;
    return most_axes;
  }

  const Graph& graph_;
  std::vector<std::optional<double>> sizes_;
  std::unordered_set<TensorId> growing_;
  double stored_ = 0;
};

}  // namespace

bool folds_in_bounds(const Graph& graph, const onnx::GraphProto& proto) {
  constexpr double kSpare = 1U << 26U;
  Folder folder(graph, proto);
  return folder.folded() <= 2 * folder.stored() + kSpare;
}

}  // namespace headroom::model
