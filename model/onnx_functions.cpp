#include "model/onnx_functions.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <unordered_map>

#include "core/error.hpp"

namespace headroom::model {
namespace {

constexpr int kDeepest = 64;
constexpr double kMostNodes = 1e5;

/// What a function, or a call, comes to with everything it calls in place.
struct Extent {
  double nodes = 0;
  int depth = 0;

  void add(const Extent& other) {
    nodes += other.nodes;
    depth = std::max(depth, other.depth);
  }
};

std::string key_of(const std::string& domain, const std::string& name) { return domain + ' ' + name; }

class Expansion {
 public:
  Expansion(const onnx::ModelProto& proto, const std::string& place) : place_(place) {
    for (const onnx::FunctionProto& function : proto.functions()) {
      functions_[key_of(function.domain(), function.name())].proto = &function;
    }
  }

  template <class Nodes>
  Extent of(const Nodes& nodes) {
    Extent sum;
    for (const onnx::NodeProto& node : nodes) {
      sum.add(of_node(node));
      if (sum.nodes > kMostNodes) fail("it is a graph of more than 100,000 nodes, local functions in place");
    }
    return sum;
  }

 private:
  struct Function {
    const onnx::FunctionProto* proto = nullptr;
    enum class State { unknown, open, known } state = State::unknown;
    Extent extent;
  };

  Extent of_node(const onnx::NodeProto& node) {
    Extent sum{1, 0};
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) sum.add(of(attribute.g().node()));
      for (const onnx::GraphProto& graph : attribute.graphs()) sum.add(of(graph.node()));
    }
    const auto called = functions_.find(key_of(node.domain(), node.op_type()));
    if (called != functions_.end()) sum.add(of_function(called->second));
    return sum;
  }

  Extent of_function(Function& function) {
    const std::string name = "local function '" + function.proto->name() + "'";
    if (function.state == Function::State::open) fail(name + " calls itself");
    if (function.state == Function::State::unknown) {
      function.state = Function::State::open;
      if (++open_ > kDeepest) fail(name + " is called too deep inside of others");
      function.extent = of(function.proto->node());
      --open_;
      ++function.extent.depth;
      function.state = Function::State::known;
    }
    if (function.extent.depth > kDeepest) fail(name + " calls others too many levels deep");
    return function.extent;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw_input(problem, place_, "export the model again, without functions or loops written out");
  }

  const std::string& place_;
  std::unordered_map<std::string, Function> functions_;
  int open_ = 0;
};

}  // namespace

void check_functions(const onnx::ModelProto& proto, const std::string& place) {
  static_cast<void>(Expansion(proto, place).of(proto.graph().node()));
}

}  // namespace headroom::model
