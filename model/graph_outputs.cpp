#include "model/graph_outputs.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_set>

namespace headroom::model {
namespace {

onnx::NodeProto& add_node(onnx::GraphProto& proto, const std::string& op, const std::string& input,
                          const std::string& output) {
  onnx::NodeProto& node = *proto.add_node();
  node.set_op_type(op);
  node.set_name(output);
  node.add_input(input);
  node.add_output(output);
  return node;
}

void set_integer(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

/// A vector of one integer among the initializers, made once.
std::string integer(onnx::GraphProto& proto, const std::string& name, std::int64_t value) {
  const auto& all = proto.initializer();
  if (std::none_of(all.begin(), all.end(), [&](const onnx::TensorProto& t) { return t.name() == name; })) {
    onnx::TensorProto& tensor = *proto.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_dims(1);
    tensor.add_int64_data(value);
  }
  return name;
}

/// Keeps the elements the predicate wants, in order, without copying.
template <class Field, class Wanted>
void keep(Field& field, Wanted wanted) {
  int kept = 0;
  for (int i = 0; i < field.size(); ++i) {
    if (!wanted(field.Get(i))) continue;
    if (kept != i) field.SwapElements(kept, i);
    ++kept;
  }
  field.DeleteSubrange(kept, field.size() - kept);
}

}  // namespace

std::size_t GraphOutputs::request(Kind kind, TensorId id) {
  const auto [entry, fresh] = positions_.try_emplace({kind, id}, requests_.size());
  if (fresh) requests_.emplace_back(kind, id);
  return entry->second;
}

void GraphOutputs::prune(onnx::GraphProto& proto) const {
  std::vector<bool> needed(graph_.tensors(), false);
  std::vector<TensorId> open;
  const auto need = [&](TensorId id) {
    if (id == kNone || needed[id]) return;
    needed[id] = true;
    open.push_back(id);
  };
  for (const auto& [kind, id] : requests_) need(id);
  std::unordered_set<const onnx::NodeProto*> nodes;
  while (!open.empty()) {
    const NodeId maker = graph_.producer(open.back());
    open.pop_back();
    if (maker == kNone || !nodes.insert(&graph_.node(maker)).second) continue;
    for (const TensorId input : graph_.inputs(maker)) need(input);
  }
  const auto named = [&](const auto& each) {
    const TensorId id = graph_.find(each.name());
    return id != kNone && needed[id];
  };
  // Names live in the elements, so the graph can be asked only as long as they are neither moved nor deleted: first
  // note, then delete.
  std::unordered_set<const void*> wanted(nodes.begin(), nodes.end());
  for (const auto& each : proto.initializer()) {
    if (named(each)) wanted.insert(&each);
  }
  for (const auto& each : proto.input()) {
    if (named(each)) wanted.insert(&each);
  }
  const auto is_wanted = [&](const auto& each) { return wanted.contains(&each); };
  keep(*proto.mutable_node(), is_wanted);
  keep(*proto.mutable_initializer(), is_wanted);
  keep(*proto.mutable_input(), is_wanted);
}

void GraphOutputs::apply(onnx::GraphProto& proto) {
  struct Source {
    std::string name;
    bool computed = false;
    std::size_t made = 0;  ///< when, in the order of the graph
  };
  std::vector<Source> sources;
  for (const auto& [kind, id] : requests_) {
    const NodeId maker = graph_.producer(id);
    const bool computed = maker != kNone && graph_.op(maker) != "Constant";
    sources.push_back({graph_.name(id), computed, maker == kNone ? 0 : maker + 1});
  }
  std::string prefix = "headroom";
  const auto taken = [&](const std::string& start) {
    for (TensorId id = 0; id < graph_.tensors(); ++id) {
      if (graph_.name(id).starts_with(start)) return true;
    }
    return false;
  };
  while (taken(prefix + ":")) prefix += "'";
  prune(proto);
  proto.clear_output();
  // Recorded shapes are claims; the runtime infers its own.
  proto.clear_value_info();
  // The runtime works back from the nodes nobody reads, the last in the file first. Ours are such; with those of late
  // layers before those of early ones, each runs as soon as it can, and no layer's matrices wait for the last layer.
  std::vector<std::size_t> order(requests_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sources[a].made > sources[b].made; });
  names_.resize(requests_.size());
  for (const std::size_t i : order) {
    std::string name = prefix + ":" + std::to_string(i);
    const std::string& source = sources[i].name;
    switch (requests_[i].first) {
      case Kind::tensor:
        if (sources[i].computed) {
          name = source;
        } else {
          add_node(proto, "Identity", source, name);
        }
        break;
      case Kind::shape:
        add_node(proto, "Shape", source, name);
        break;
      case Kind::maximum: {
        set_integer(add_node(proto, "Cast", source, name + ":float"), "to", onnx::TensorProto::FLOAT);
        set_integer(add_node(proto, "ReduceMax", name + ":float", name), "keepdims", 0);
        break;
      }
      case Kind::last_rows: {
        onnx::NodeProto& node = add_node(proto, "Slice", source, name);
        node.add_input(integer(proto, prefix + ":start", -kLastRows));
        node.add_input(integer(proto, prefix + ":end", std::numeric_limits<std::int64_t>::max()));
        node.add_input(integer(proto, prefix + ":axis", -2));
        break;
      }
    }
    names_[i] = std::move(name);
  }
  for (const std::string& name : names_) proto.add_output()->set_name(name);
}

}  // namespace headroom::model
