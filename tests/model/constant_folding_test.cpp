#include "model/constant_folding.hpp"

#include <onnx/onnx_pb.h>

#include <string>

#include "catch.hpp"
#include "onnx_builder.hpp"
#include "synthetic_transformer.hpp"

using headroom::model::folds_in_bounds;
using headroom::model::Graph;
using headroom::test::Form;
using headroom::test::OnnxBuilder;
using headroom::test::synthetic_transformer;

namespace {

bool folds(OnnxBuilder& model) { return folds_in_bounds(Graph(model.graph(), "here"), model.graph()); }

OnnxBuilder with_tokens() {
  OnnxBuilder model(17);
  model.input("input_ids", onnx::TensorProto::INT64, {"batch", "sequence"});
  return model;
}

}  // namespace

TEST_CASE("half weights widened and positions counted from the tokens are folded") {
  Form form;
  form.half_weights = true;
  form.copies = true;
  OnnxBuilder model = synthetic_transformer(form);
  const std::string shape = model.node("Shape", {"input_ids"});
  model.node("Range", {model.integer(0), model.node("Gather", {shape, model.integer(1)}), model.integer(1)});
  CHECK(folds(model));
}

TEST_CASE("a tensor doubled many times is not folded, twice is") {
  for (const int times : {2, 30}) {
    OnnxBuilder model = with_tokens();
    std::string all = model.weight("w", {4, 4}, 1.0F);
    for (int i = 0; i < times; ++i) all = model.with("Concat", {all, all}, "axis", std::int64_t{0});
    CHECK(folds(model) == (times == 2));
  }
}

TEST_CASE("many copies of a large weight, an outer product and a size made by values are not folded") {
  OnnxBuilder copies = with_tokens();
  std::string all = copies.weight("w", {1024, 1024}, 1.0F);
  for (int i = 0; i < 100; ++i) all = copies.node("Neg", {all});
  CHECK_FALSE(folds(copies));

  OnnxBuilder outer = with_tokens();
  outer.node("Add", {outer.weight("row", {1, 1 << 14}, 1.0F), outer.weight("column", {1 << 14, 1}, 1.0F)});
  CHECK_FALSE(folds(outer));

  OnnxBuilder made = with_tokens();
  const std::string inner = made.node("Relu", {made.with("Cast", {"input_ids"}, "to", onnx::TensorProto::FLOAT)});
  made.node("ConstantOfShape", {made.node("Shape", {inner})});
  CHECK_FALSE(folds(made));
}
