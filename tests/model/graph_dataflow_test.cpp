#include "model/graph_dataflow.hpp"

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "catch.hpp"
#include "onnx_builder.hpp"

using headroom::model::Dataflow;
using headroom::model::Graph;
using headroom::model::kNone;
using headroom::test::OnnxBuilder;

TEST_CASE("the dominator of a residual sum is the stream it adds to") {
  OnnxBuilder b(13);
  const std::string ids = b.input("input_ids", onnx::TensorProto::INT64, {"batch", "sequence"});
  const std::string x = b.node("Gather", {b.weight("wte", {4, 4}, 1.0F), ids});
  const std::string branch = b.node("Relu", {b.node("MatMul", {x, b.weight("w", {4, 4}, 1.0F)})});
  const std::string sum = b.node("Add", {x, branch});
  const std::string next = b.node("Add", {sum, b.node("Neg", {sum})});
  const Graph graph(b.graph(), "here");
  const Dataflow flow(graph, graph.find(ids));
  const auto step = flow.dominator(graph.find(next));
  REQUIRE(step);
  CHECK(step->tensor == graph.find(sum));
  CHECK(step->region.size() == 2);
  const auto before = flow.dominator(step->tensor);
  REQUIRE(before);
  CHECK(before->tensor == graph.find(x));
  CHECK(before->region.size() == 3);
  CHECK(flow.dominator(graph.find(x))->tensor == graph.find(ids));
  CHECK_FALSE(flow.dominator(graph.find(ids)).has_value());
}

TEST_CASE("shapes do not follow the tokens, values do") {
  OnnxBuilder b(13);
  const std::string ids = b.input("input_ids", onnx::TensorProto::INT64, {"batch", "sequence"});
  const std::string shape = b.node("Shape", {ids});
  const std::string wide = b.with("Cast", {ids}, "to", onnx::TensorProto::FLOAT);
  const std::string reshaped = b.node("Reshape", {wide, shape});
  const Graph graph(b.graph(), "here");
  const Dataflow flow(graph, graph.find(ids));
  CHECK_FALSE(flow.follows_tokens(graph.find(shape)));
  CHECK(flow.follows_tokens(graph.find(reshaped)));
  CHECK_FALSE(flow.follows_tokens(kNone));
  CHECK(flow.source(graph.find(reshaped)) == graph.find(ids));
}

TEST_CASE("nodes are put in order whatever the order of the file") {
  OnnxBuilder b(13);
  const std::string ids = b.input("input_ids", onnx::TensorProto::INT64, {"batch", "sequence"});
  const std::string first = b.node("Identity", {ids});
  const std::string second = b.node("Abs", {first});
  b.graph().mutable_node()->SwapElements(0, 1);
  const Graph graph(b.graph(), "here");
  CHECK(graph.producer(graph.find(first)) == 0);
  CHECK(graph.producer(graph.find(second)) == 1);
  CHECK(graph.describe(1) == "Abs '/Abs_1'");
}
