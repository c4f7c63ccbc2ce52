#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/graph.hpp"

namespace headroom::model {

/// The tensors to be read from a graph, instead of its own outputs. Each request gives the position of its output.
class GraphOutputs {
 public:
  explicit GraphOutputs(const Graph& graph) : graph_(graph) {}

  /// The tensor itself.
  std::size_t tensor(TensorId id) { return request(Kind::tensor, id); }
  /// Its shape, as numbers.
  std::size_t shape(TensorId id) { return request(Kind::shape, id); }
  /// Its largest element.
  std::size_t maximum(TensorId id) { return request(Kind::maximum, id); }
  /// Its last kLastRows rows (all, when it has fewer), for matrices too large to be read whole.
  std::size_t last_rows(TensorId id) { return request(Kind::last_rows, id); }
  static constexpr std::int64_t kLastRows = 32;

  /// Makes the requests the only outputs of the graph and drops every node, weight and input that none of them needs.
  /// `proto` is the one `graph` was made of; the graph must not be used afterwards.
  void apply(onnx::GraphProto& proto);

  /// Output names by position, once applied.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  enum class Kind { tensor, shape, maximum, last_rows };

  std::size_t request(Kind kind, TensorId id);
  void prune(onnx::GraphProto& proto) const;

  const Graph& graph_;
  std::map<std::pair<Kind, TensorId>, std::size_t> positions_;
  std::vector<std::pair<Kind, TensorId>> requests_;
  std::vector<std::string> names_;
};

}  // namespace headroom::model
