#include "model/graph.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_set>
#include <utility>

#include "core/error.hpp"

namespace headroom::model {
namespace {

/// Names a subgraph reads from around it: read inside, and neither made nor fed inside.
void captured(const onnx::GraphProto& graph, std::vector<std::string_view>& result) {
  std::unordered_set<std::string_view> own;
  for (const onnx::ValueInfoProto& input : graph.input()) own.insert(input.name());
  for (const onnx::TensorProto& initializer : graph.initializer()) own.insert(initializer.name());
  for (const onnx::NodeProto& node : graph.node()) own.insert(node.output().begin(), node.output().end());
  std::vector<std::string_view> read;
  for (const onnx::ValueInfoProto& output : graph.output()) read.emplace_back(output.name());
  for (const onnx::NodeProto& node : graph.node()) {
    read.insert(read.end(), node.input().begin(), node.input().end());
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) captured(attribute.g(), read);
      for (const onnx::GraphProto& each : attribute.graphs()) captured(each, read);
    }
  }
  for (const std::string_view name : read) {
    if (!name.empty() && !own.contains(name)) result.push_back(name);
  }
}

std::string label(const onnx::NodeProto& node) {
  const std::string& own = node.name();
  return node.op_type() + " '" + (own.empty() && node.output_size() > 0 ? node.output(0) : own) + "'";
}

}  // namespace

Graph::Graph(const onnx::GraphProto& proto, const std::string& place) {
  connect(proto, place);
  sort(place);
  consumers_.resize(names_.size());
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    for (const TensorId made : nodes_[id].outputs) {
      if (made != kNone) producers_[made] = id;
    }
    for (const TensorId read : nodes_[id].inputs) {
      if (read != kNone && (consumers_[read].empty() || consumers_[read].back() != id)) consumers_[read].push_back(id);
    }
  }
}

TensorId Graph::intern(std::string_view name) {
  if (name.empty()) return kNone;
  const auto [entry, fresh] = ids_.try_emplace(name, names_.size());
  if (fresh) {
    names_.push_back(name);
    producers_.push_back(kNone);
    constants_.push_back(nullptr);
  }
  return entry->second;
}

void Graph::connect(const onnx::GraphProto& proto, const std::string& place) {
  std::unordered_set<TensorId> known;
  for (const onnx::ValueInfoProto& input : proto.input()) known.insert(intern(input.name()));
  for (const onnx::TensorProto& initializer : proto.initializer()) {
    const TensorId id = intern(initializer.name());
    known.insert(id);
    if (id == kNone) continue;
    if (constants_[id] != nullptr) {
      throw_input("tensor '" + initializer.name() + "' is stored twice", place, "export the model again");
    }
    constants_[id] = &initializer;
  }
  for (const onnx::SparseTensorProto& sparse : proto.sparse_initializer()) known.insert(intern(sparse.values().name()));
  for (const onnx::NodeProto& node : proto.node()) {
    Entry entry;
    entry.proto = &node;
    for (const std::string& output : node.output()) {
      const TensorId id = intern(output);
      if (id != kNone && !known.insert(id).second) {
        throw_input("tensor '" + output + "' is made twice", place + ", node " + label(node), "export the model again");
      }
      entry.outputs.push_back(id);
    }
    if (node.op_type() == "Constant" && entry.outputs.size() == 1 && entry.outputs[0] != kNone) {
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.name() == "value" && attribute.has_t()) constants_[entry.outputs[0]] = &attribute.t();
      }
    }
    nodes_.push_back(std::move(entry));
  }
  for (Entry& entry : nodes_) {
    std::vector<std::string_view> read(entry.proto->input().begin(), entry.proto->input().end());
    for (const onnx::AttributeProto& attribute : entry.proto->attribute()) {
      if (attribute.has_g()) captured(attribute.g(), read);
      for (const onnx::GraphProto& each : attribute.graphs()) captured(each, read);
    }
    for (const std::string_view name : read) {
      const TensorId id = intern(name);
      if (id != kNone && !known.contains(id)) {
        throw_input("tensor '" + std::string(name) + "' is read, but neither made, fed nor stored",
                    place + ", node " + label(*entry.proto), "export the model again, with its weights");
      }
      entry.inputs.push_back(id);
    }
  }
}

void Graph::sort(const std::string& place) {
  std::vector<std::size_t> waiting(nodes_.size(), 0);
  std::vector<std::size_t> maker(names_.size(), kNone);
  std::vector<std::vector<std::size_t>> readers(names_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    for (const TensorId made : nodes_[i].outputs) {
      if (made != kNone) maker[made] = i;
    }
  }
  // Of the nodes that are ready, the first in the file goes first: blocks keep the order of the file.
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    for (const TensorId read : nodes_[i].inputs) {
      if (read == kNone || maker[read] == kNone) continue;
      readers[read].push_back(i);
      ++waiting[i];
    }
    if (waiting[i] == 0) ready.push(i);
  }
  std::vector<Entry> sorted;
  sorted.reserve(nodes_.size());
  while (!ready.empty()) {
    const std::size_t next = ready.top();
    ready.pop();
    for (const TensorId made : nodes_[next].outputs) {
      if (made == kNone) continue;
      for (const std::size_t reader : readers[made]) {
        if (--waiting[reader] == 0) ready.push(reader);
      }
    }
    sorted.push_back(std::move(nodes_[next]));
  }
  if (sorted.size() < nodes_.size()) {
    const auto stuck = std::find_if(waiting.begin(), waiting.end(), [](std::size_t left) { return left > 0; });
    const onnx::NodeProto& node = *nodes_[static_cast<std::size_t>(stuck - waiting.begin())].proto;
    throw_input("the graph has a cycle", place + ", node " + label(node), "export the model again");
  }
  nodes_ = std::move(sorted);
}

TensorId Graph::find(std::string_view name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? kNone : found->second;
}

const onnx::TensorProto* Graph::constant(TensorId id) const { return constants_[id]; }

std::string_view Graph::op(NodeId id) const { return nodes_[id].proto->op_type(); }

std::string Graph::describe(NodeId id) const { return label(*nodes_[id].proto); }

}  // namespace headroom::model
