#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace onnx {
class GraphProto;
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace headroom::model {

using TensorId = std::size_t;
using NodeId = std::size_t;  ///< index in an order in which every node follows the makers of its inputs
inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Who makes and who reads each tensor of an ONNX graph. Refers to the GraphProto, which must stay as it is.
class Graph {
 public:
  /// Errors (Fault::input, at `place`): a tensor made or stored twice, an input nobody makes, a cycle; each names the
  /// tensor or the node.
  Graph(const onnx::GraphProto& proto, const std::string& place);

  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  [[nodiscard]] std::size_t tensors() const { return names_.size(); }
  [[nodiscard]] const onnx::NodeProto& node(NodeId id) const { return *nodes_[id].proto; }

  /// Tensors the node reads, by position; kNone for an omitted one. Those its subgraphs read follow.
  [[nodiscard]] std::span<const TensorId> inputs(NodeId id) const { return nodes_[id].inputs; }
  [[nodiscard]] std::span<const TensorId> outputs(NodeId id) const { return nodes_[id].outputs; }

  [[nodiscard]] std::string name(TensorId id) const { return std::string(names_[id]); }
  [[nodiscard]] TensorId find(std::string_view name) const;

  /// kNone for graph inputs and initializers.
  [[nodiscard]] NodeId producer(TensorId id) const { return producers_[id]; }
  [[nodiscard]] std::span<const NodeId> consumers(TensorId id) const { return consumers_[id]; }

  /// The initializer or the Constant node's tensor behind `id`; null when it is computed or fed.
  [[nodiscard]] const onnx::TensorProto* constant(TensorId id) const;

  [[nodiscard]] std::string_view op(NodeId id) const;

  /// How messages call a node: its operator, and its name or else its first output.
  [[nodiscard]] std::string describe(NodeId id) const;

 private:
  struct Entry {
    const onnx::NodeProto* proto = nullptr;
    std::vector<TensorId> inputs;
    std::vector<TensorId> outputs;
  };

  TensorId intern(std::string_view name);
  void connect(const onnx::GraphProto& proto, const std::string& place);
  void sort(const std::string& place);

  std::vector<Entry> nodes_;
  std::vector<std::string_view> names_;
  std::unordered_map<std::string_view, TensorId> ids_;
  std::vector<NodeId> producers_;
  std::vector<std::vector<NodeId>> consumers_;
  std::vector<const onnx::TensorProto*> constants_;
};

}  // namespace headroom::model
