#include "model/onnx_session.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "onnx_builder.hpp"
#include "scratch_folder.hpp"

using namespace headroom::model;  // NOLINT(google-build-using-namespace)
using headroom::test::OnnxBuilder;
using headroom::test::ScratchFolder;

namespace {

void name_value(onnx::ValueInfoProto& value, const std::string& name, int type) {
  value.set_name(name);
  value.mutable_type()->mutable_tensor_type()->set_elem_type(type);
  value.mutable_type()->mutable_tensor_type()->mutable_shape();
}

/// Hands a number on from step to step.
OnnxBuilder loop(std::int64_t steps) {
  OnnxBuilder model(13);
  const std::string start = model.floats("start", {}, {1.5F});
  model.output(model.node("Loop", {model.integer(steps), model.bools("always", {}, {true}), start}));
  onnx::AttributeProto& attribute = *model.last().add_attribute();
  attribute.set_name("body");
  attribute.set_type(onnx::AttributeProto::GRAPH);
  onnx::GraphProto& body = *attribute.mutable_g();
  body.set_name("body");
  name_value(*body.add_input(), "step", onnx::TensorProto::INT64);
  name_value(*body.add_input(), "go", onnx::TensorProto::BOOL);
  name_value(*body.add_input(), "x", onnx::TensorProto::FLOAT);
  for (const char* name : {"go", "x"}) {
    onnx::NodeProto& copy = *body.add_node();
    copy.set_op_type("Identity");
    copy.add_input(name);
    copy.add_output(std::string(name) + ":out");
  }
  name_value(*body.add_output(), "go:out", onnx::TensorProto::BOOL);
  name_value(*body.add_output(), "x:out", onnx::TensorProto::FLOAT);
  return model;
}

}  // namespace

TEST_CASE("a loop runs to its end, and one without an end until its time is over") {
  const ScratchFolder folder;
  const auto run = [&](std::int64_t steps, double seconds) {
    const OnnxBuilder model = loop(steps);
    model.save(folder / "loop.onnx");
    OnnxFile file = read_onnx_file(folder / "loop.onnx");
    const OnnxSession session(file, {file.proto->graph().output(0).name()}, 1);
    return session.run({}, std::vector<std::size_t>{0}, {1U << 20U, seconds}).take(0).values;
  };
  CHECK(run(3, 600) == std::vector<float>{1.5F});
  CHECK_THROWS_WITH(run(std::numeric_limits<std::int64_t>::max(), 0.1),
                    contains("loop.onnx") && contains("longer than"));
}
