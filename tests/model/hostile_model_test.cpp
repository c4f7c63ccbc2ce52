#include <fcntl.h>
#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "model/onnx_file.hpp"
#include "model/transformer.hpp"
#include "scratch_folder.hpp"
#include "synthetic_transformer.hpp"

namespace fs = std::filesystem;
using headroom::Error;
using headroom::Fault;
using headroom::model::Transformer;
using headroom::test::Form;
using headroom::test::OnnxBuilder;
using headroom::test::ScratchFolder;
using headroom::test::synthetic_transformer;

namespace {

constexpr std::int64_t kTrillion = 1000000000000;

std::string bytes_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

/// What loading the file says; the fault must be the input's and the file must be named.
std::string complaint(const fs::path& path) {
  try {
    (void)Transformer::load(path, 1);
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::input);
    CHECK_THAT(error.what(), contains(path.string()));
    return error.what();
  }
  return "no complaint";
}

std::string complaint(const OnnxBuilder& model) {
  const ScratchFolder folder;
  model.save(folder / "model.onnx");
  return complaint(folder / "model.onnx");
}

/// What loading a model says that `damage` has been done to.
std::string damaged(const std::function<void(onnx::GraphProto&)>& damage, const Form& form = {}) {
  OnnxBuilder model = synthetic_transformer(form);
  damage(model.graph());
  return complaint(model);
}

onnx::NodeProto& first(onnx::GraphProto& graph, const std::string& op) {
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    if (node.op_type() == op) return node;
  }
  throw std::logic_error("no such node");
}

onnx::TensorProto& stored(onnx::GraphProto& graph, const std::string& name) {
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) {
    if (tensor.name() == name) return tensor;
  }
  throw std::logic_error("no such tensor");
}

/// Puts a node of one input between a node and its first input.
onnx::NodeProto& insert_before(onnx::GraphProto& graph, const std::string& op, const std::string& inserted) {
  onnx::NodeProto& reader = first(graph, op);
  onnx::NodeProto node;
  node.set_op_type(inserted);
  node.set_name("inserted");
  node.add_input(reader.input(0));
  node.add_output("inserted:out");
  reader.set_input(0, "inserted:out");
  return *graph.add_node() = node;
}

void keep_outside(onnx::TensorProto& tensor, const std::string& location) {
  tensor.clear_raw_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key("location");
  entry.set_value(location);
}

/// A graph of the given operator over embedded tokens.
OnnxBuilder with_operator(const std::string& op, const std::string& domain) {
  OnnxBuilder model(17);
  const std::string ids = model.input("input_ids", onnx::TensorProto::INT64, {"batch", "sequence"});
  const std::string x = model.node("Gather", {model.weight("wte", {50, 16}, 1.0F), ids});
  model.output(model.node(op, {x}));
  model.last().set_domain(domain);
  model.last().set_name("layer.0/fused");
  return model;
}

}  // namespace

TEST_CASE("a model that is missing, a folder, empty, truncated or of another format is refused") {
  const ScratchFolder folder;
  CHECK_THAT(complaint(folder / "none.onnx"), contains("no such model file"));
  fs::create_directory(folder / "folder.onnx");
  CHECK_THAT(complaint(folder / "folder.onnx"), contains("no such model file"));
  write(folder / "empty.onnx", "");
  CHECK_THAT(complaint(folder / "empty.onnx"), contains("holds no graph"));
  write(folder / "text.onnx", "It is a truth universally acknowledged");
  CHECK_THAT(complaint(folder / "text.onnx"), contains("truncated or of another format"));
  synthetic_transformer(Form()).save(folder / "whole.onnx");
  const std::string whole = bytes_of(folder / "whole.onnx");
  for (const std::size_t part : {whole.size() / 100, whole.size() / 2, whole.size() - 1}) {
    write(folder / "part.onnx", whole.substr(0, part));
    CHECK(complaint(folder / "part.onnx") != "no complaint");
  }
}

TEST_CASE("a graph without attention says so") {
  OnnxBuilder model(13);
  const std::string ids = model.input("input_ids", onnx::TensorProto::INT64, {"batch", "sequence"});
  const std::string x = model.node("Gather", {model.weight("wte", {50, 16}, 1.0F), ids});
  model.output(model.with("Softmax", {model.node("MatMul", {x, model.weight("head", {16, 50}, 1.0F)})}, "axis",
                          std::int64_t{-1}));
  CHECK_THAT(complaint(model), contains("no attention block found"));
}

TEST_CASE("operators that hold a whole attention block are named, with the remedy") {
  for (const char* op : {"Attention", "MultiHeadAttention", "GroupQueryAttention", "QAttention"}) {
    const std::string said = complaint(with_operator(op, "com.microsoft"));
    CHECK_THAT(said, contains("com.microsoft." + std::string(op) + " 'layer.0/fused'") && contains("eager"));
  }
  CHECK_THAT(complaint(with_operator("Attention", "")), contains("operator Attention 'layer.0/fused'"));
}

TEST_CASE("what stands between product and softmax and is not understood is named") {
  const std::string capped = damaged([](onnx::GraphProto& graph) { insert_before(graph, "Softmax", "Tanh"); });
  CHECK_THAT(capped, contains("Tanh 'inserted'") && contains("attention at Softmax"));
  const std::string per_head = damaged([](onnx::GraphProto& graph) {
    insert_before(graph, "Softmax", "Mul").add_input("per_head");
    onnx::TensorProto& factors = *graph.add_initializer();
    factors.set_name("per_head");
    factors.set_data_type(onnx::TensorProto::FLOAT);
    for (const int extent : {1, 4, 1, 1}) factors.add_dims(extent);
    for (const float factor : {0.5F, 1.0F, 2.0F, 3.0F}) factors.add_float_data(factor);
  });
  CHECK_THAT(per_head, contains("Mul 'inserted'") && contains("neither a scalar nor a mask"));
}

TEST_CASE("weights that differ from the graph's softmax name their block") {
  // Over queries instead of tokens: the walk cannot tell, the comparison must.
  const std::string said =
      damaged([](onnx::GraphProto& graph) { first(graph, "Softmax").mutable_attribute(0)->set_i(-2); });
  CHECK_THAT(said, contains("differ from the graph's own softmax") && contains("block 0 (Softmax"));
}

TEST_CASE("scores replaced by ordinary numbers are no mask") {
  const std::string said = damaged([](onnx::GraphProto& graph) {
    const std::string fill = first(graph, "Where").input(2);
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      if (node.output(0) == fill) node.mutable_attribute(0)->mutable_t()->set_float_data(0, -3.0F);
    }
  });
  CHECK_THAT(said, contains("Where") && contains("no mask") && contains("block 0"));
}

TEST_CASE("heads that see different tokens are refused") {
  const std::string said = damaged([](onnx::GraphProto& graph) {
    onnx::TensorProto& mask = stored(graph, "tril");
    const google::protobuf::RepeatedField<std::int32_t> one = mask.int32_data();
    mask.set_dims(1, 4);
    for (int head = 1; head < 4; ++head) {
      for (int i = 0; i < one.size(); ++i) mask.add_int32_data(i % 64 == 0 ? 1 : head == 2 ? 0 : one[i]);
    }
  });
  CHECK_THAT(said, contains("different tokens from different heads"));
}

TEST_CASE("a cycle, a missing weight and a tensor made twice are named") {
  CHECK_THAT(damaged([](onnx::GraphProto& graph) { first(graph, "MatMul").set_input(0, graph.output(0).name()); }),
             contains("cycle"));
  CHECK_THAT(damaged([](onnx::GraphProto& graph) { stored(graph, "wpe").set_name("lost"); }),
             contains("'wpe'") && contains("neither made, fed nor stored"));
  CHECK_THAT(damaged([](onnx::GraphProto& graph) { first(graph, "Softmax").set_output(0, "wte"); }),
             contains("'wte' is made twice"));
  CHECK_THAT(damaged([](onnx::GraphProto& graph) { *graph.add_initializer() = stored(graph, "wte"); }),
             contains("'wte' is stored twice"));
}

TEST_CASE("claims of enormous tensors are refused before anything is allocated") {
  CHECK_THAT(damaged([](onnx::GraphProto& graph) {
               onnx::TensorProto& tensor = stored(graph, "wte");
               tensor.set_dims(0, kTrillion);
             }),
             contains("'wte'") && contains("2^32 elements"));
  CHECK_THAT(damaged([](onnx::GraphProto& graph) { stored(graph, "wte").set_dims(0, -4); }),
             contains("negative dimension"));
  CHECK_THAT(damaged([](onnx::GraphProto& graph) { stored(graph, "wte").set_dims(0, 62); }),
             contains("'wte'") && contains("number of elements"));
  for (const char* op : {"ConstantOfShape", "Expand", "Tile"}) {
    OnnxBuilder model = synthetic_transformer(Form());
    const std::string shape = model.integers({1000000, 1000000});
    const bool alone = std::string(op) == "ConstantOfShape";
    model.output(model.node(op, alone ? OnnxBuilder::Names{shape} : OnnxBuilder::Names{"wte", shape}));
    CHECK_THAT(complaint(model), contains("2^32 elements"));
  }
}

TEST_CASE("a tensor to be made that would fill gigabytes is refused") {
  OnnxBuilder model = synthetic_transformer(Form());
  model.output(model.node("ConstantOfShape", {model.integers({1 << 15, 1 << 14})}));
  CHECK_THAT(complaint(model), contains("2^28 elements"));
}

TEST_CASE("a shape computed inside the graph takes no memory beyond what a run may have") {
  // Added to the scores as a zero, so that nothing else of the model changes.
  const auto with_zero = [](const std::function<std::string(OnnxBuilder&, std::int64_t)>& make) {
    return [make](std::int64_t extent) {
      OnnxBuilder model = synthetic_transformer(Form());
      const std::string large = make(model, extent);
      const std::string least = model.with("ReduceMin", {large}, "keepdims", std::int64_t{0});
      insert_before(model.graph(), "Softmax", "Add").add_input(model.node("Mul", {least, model.scalar(0.0F)}));
      return model;
    };
  };
  const auto filled = with_zero([](OnnxBuilder& model, std::int64_t extent) {
    const std::string side = model.integers({extent});
    return model.node("ConstantOfShape", {model.with("Concat", {side, side}, "axis", std::int64_t{0})});
  });
  const auto summed = with_zero([](OnnxBuilder& model, std::int64_t extent) {
    const std::string side = model.node("ConstantOfShape", {model.integers({extent})});
    return model.node("Add", {model.unsqueeze(side, 0), model.unsqueeze(side, 1)});
  });
  const auto by_tokens = with_zero([](OnnxBuilder& model, std::int64_t extent) {
    const std::string tokens = model.node("Shape", {"input_ids"});
    return model.node("ConstantOfShape", {model.node("Mul", {tokens, model.integers({extent})})});
  });
  for (const auto& model : {filled, summed, by_tokens}) {
    const ScratchFolder folder;
    model(8).save(folder / "small.onnx");
    CHECK(Transformer::load(folder / "small.onnx", 1).forward(std::vector<std::int64_t>{1, 2, 3}).layers() == 2);
    CHECK_THAT(complaint(model(1 << 17)), contains("MiB beside its weights"));
  }
  // Half a GiB at load, beyond one with more tokens.
  const ScratchFolder folder;
  by_tokens(2100).save(folder / "growing.onnx");
  const Transformer growing = Transformer::load(folder / "growing.onnx", 1);
  CHECK_THROWS_WITH(growing.forward(std::vector<std::int64_t>(64, 1)), contains("MiB beside its weights"));
}

TEST_CASE("an input of enormous fixed extent is refused") {
  Form form;
  form.sequence = std::to_string(kTrillion);
  CHECK_THAT(complaint(synthetic_transformer(form)), contains("'input_ids'"));
}

TEST_CASE("inputs that would be enormous when filled are refused") {
  OnnxBuilder model(13);
  model.input("input_ids", onnx::TensorProto::INT64, {"1024", "sequence"});
  model.input("position_ids", onnx::TensorProto::INT64, {"a", "b", "c", "d", "e", "f", "g", "sequence"});
  const headroom::model::ModelInputs inputs(model.graph(), "model.onnx");
  const std::vector<std::int64_t> ids = {1, 2, 3};
  const std::vector<std::string> needed = {"input_ids", "position_ids"};
  CHECK_THROWS_WITH(inputs.feeds(ids, needed), contains("'position_ids'") && contains("2^26 elements"));
  CHECK(inputs.feeds(ids, std::vector<std::string>{"input_ids"}).front().values.size() == 3 * 1024);
}

TEST_CASE("an empty table of tokens is refused") {
  const std::string said = damaged([](onnx::GraphProto& graph) {
    onnx::TensorProto& table = stored(graph, "wte");
    table.set_dims(0, 0);
    table.clear_raw_data();
    table.clear_float_data();
  });
  CHECK_THAT(said, contains("has no rows"));
}

TEST_CASE("names that are no UTF-8 are refused") {
  const std::string bad = "h.\xFF.attn";
  CHECK_THAT(damaged([&](onnx::GraphProto& graph) { first(graph, "Softmax").set_name(bad); }), contains("no UTF-8"));
  CHECK_THAT(damaged([&](onnx::GraphProto& graph) { stored(graph, "wte").set_name(bad); }), contains("no UTF-8"));
  CHECK_THAT(damaged([&](onnx::GraphProto& graph) { graph.mutable_input(0)->set_name(bad); }), contains("no UTF-8"));
  CHECK_THAT(damaged([](onnx::GraphProto& graph) { first(graph, "Softmax").set_name("a\x1B[2J"); }),
             contains("control characters"));
  using headroom::model::is_utf8;
  CHECK(is_utf8("h.0/attn \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"));
  for (const char* broken : {"\x80", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
    CHECK_FALSE(is_utf8(broken));
  }
}

TEST_CASE("a model with external data gives what one without gives") {
  const ScratchFolder folder;
  OnnxBuilder model = synthetic_transformer(Form());
  model.save(folder / "whole.onnx");
  onnx::TensorProto& wte = stored(model.graph(), "wte");
  fs::create_directory(folder / "parts");
  write(folder / "parts/weights.bin", std::string(64, 'x') + wte.raw_data());
  keep_outside(wte, "parts/weights.bin");
  onnx::StringStringEntryProto& offset = *wte.add_external_data();
  offset.set_key("offset");
  offset.set_value("64");
  model.save(folder / "split.onnx");
  CHECK(Transformer::load(folder / "whole.onnx", 1).data_files().empty());
  CHECK(Transformer::load(folder / "split.onnx", 1).data_files() == std::vector<std::string>{"parts/weights.bin"});
  const std::vector<std::int64_t> ids = {5, 9, 2, 60, 33};
  const auto whole = Transformer::load(folder / "whole.onnx", 1).forward(ids);
  const auto split = Transformer::load(folder / "split.onnx", 1).forward(ids);
  for (std::size_t i = 0; i < 5 * 32; ++i) CHECK(whole.embedding().data[i] == split.embedding().data[i]);
}

TEST_CASE("external data outside the model's folder, missing or too short are refused") {
  const ScratchFolder folder;
  fs::create_directory(folder / "inside");
  write(folder / "secret.bin", std::string(100000, 'x'));
  fs::create_symlink(folder / "secret.bin", folder / "inside/link.bin");
  write(folder / "inside/short.bin", "x");
  const auto said = [&](const std::string& location) {
    OnnxBuilder model = synthetic_transformer(Form());
    keep_outside(stored(model.graph(), "wte"), location);
    model.save(folder / "inside/model.onnx");
    return complaint(folder / "inside/model.onnx");
  };
  CHECK_THAT(said("../secret.bin"), contains("'wte'") && contains("outside the model's folder"));
  CHECK_THAT(said("a/../../secret.bin"), contains("outside the model's folder"));
  CHECK_THAT(said((folder / "secret.bin").string()), contains("outside the model's folder"));
  CHECK_THAT(said("link.bin"), contains("outside the model's folder"));
  CHECK_THAT(said(""), contains("outside the model's folder"));
  CHECK_THAT(said("none.bin"), contains("is missing"));
  CHECK_THAT(said("short.bin"), contains("too short"));
}

TEST_CASE("inputs headroom cannot fill are named") {
  CHECK_THAT(damaged([](onnx::GraphProto& graph) { graph.add_input()->set_name("encoder_hidden_states"); }),
             contains("'encoder_hidden_states'"));
  CHECK_THAT(damaged([](onnx::GraphProto& graph) {
               graph.mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
             }),
             contains("no input of integers"));
  CHECK_THAT(complaint([] {
               OnnxBuilder model = synthetic_transformer(Form());
               model.model().mutable_opset_import(0)->set_version(9);
               return model;
             }()),
             contains("opset 9 is too old"));
}

TEST_CASE("nodes without the inputs or outputs they need are refused") {
  for (const char* op : {"Where", "Div", "Softmax", "MatMul", "Gather", "Slice", "Transpose", "Split"}) {
    INFO(op);
    for (int input = 0; input < 2; ++input) {
      const std::string omitted = damaged([&](onnx::GraphProto& graph) {
        onnx::NodeProto& node = first(graph, op);
        if (input < node.input_size()) node.set_input(input, "");
      });
      if (input == 0) CHECK(omitted != "no complaint");
    }
    CHECK(damaged([&](onnx::GraphProto& graph) { first(graph, op).clear_input(); }) != "no complaint");
    CHECK(damaged([&](onnx::GraphProto& graph) { first(graph, op).clear_output(); }) != "no complaint");
  }
}

TEST_CASE("what ONNX Runtime refuses comes as one message") {
  const std::string unknown = damaged([](onnx::GraphProto& graph) { first(graph, "Pow").set_op_type("Powder"); });
  CHECK_THAT(unknown, contains("ONNX Runtime does not accept the model") && contains("Powder"));
  const std::string shapes = damaged([](onnx::GraphProto& graph) { stored(graph, "h.1.proj").set_dims(0, 16); },
                                     [] {
                                       Form form;
                                       form.head_dim = 8;
                                       return form;
                                     }());
  CHECK(shapes != "no complaint");
}

TEST_CASE("attention inside a subgraph is said to be there") {
  OnnxBuilder inner = synthetic_transformer(Form());
  OnnxBuilder model(13);
  model.input("input_ids", onnx::TensorProto::INT64, {"batch", "sequence"});
  model.output(model.node("If", {model.scalar(1.0F)}));
  onnx::AttributeProto& branch = *model.last().add_attribute();
  branch.set_name("then_branch");
  branch.set_type(onnx::AttributeProto::GRAPH);
  *branch.mutable_g() = inner.graph();
  CHECK_THAT(complaint(model), contains("subgraphs of If"));
}

TEST_CASE("attention inside a local function is said to be there") {
  CHECK_THAT(complaint(with_operator("decoder_layer", "my.layers")),
             contains("functions such as my.layers.decoder_layer 'layer.0/fused'"));
}

TEST_CASE("local functions that call themselves, too deep or too often are refused before the runtime puts them in") {
  // Functions f0, f1, ...: f_k calls the one at `callee(k)` so many times in a row, the last of them none.
  const auto said = [](int functions, int calls, const std::function<int(int)>& callee) {
    OnnxBuilder model = synthetic_transformer(Form());
    model.model().set_ir_version(8);
    const auto call = [](onnx::NodeProto& node, int function) {
      node.set_domain("own");
      node.set_op_type("f" + std::to_string(function));
    };
    for (int k = 0; k < functions; ++k) {
      onnx::FunctionProto& function = *model.model().add_functions();
      function.set_domain("own");
      function.set_name("f" + std::to_string(k));
      function.add_input("0");
      function.add_output(std::to_string(calls));
      for (int c = 0; c < calls; ++c) {
        onnx::NodeProto& node = *function.add_node();
        node.set_op_type("Identity");
        if (callee(k) < functions) call(node, callee(k));
        node.add_input(std::to_string(c));
        node.add_output(std::to_string(c + 1));
      }
      for (const char* domain : {"", "own"}) {
        onnx::OperatorSetIdProto& opset = *function.add_opset_import();
        opset.set_domain(domain);
        opset.set_version(domain[0] == 0 ? 13 : 1);
      }
    }
    onnx::OperatorSetIdProto& opset = *model.model().add_opset_import();
    opset.set_domain("own");
    opset.set_version(1);
    call(insert_before(model.graph(), "Softmax", "f0"), 0);
    return complaint(model);
  };
  const auto next = [](int k) { return k + 1; };
  CHECK_THAT(said(1, 1, [](int) { return 0; }), contains("'f0' calls itself"));
  CHECK_THAT(said(2, 1, [](int k) { return 1 - k; }), contains("'f0' calls itself"));
  CHECK_THAT(said(40, 2, next), contains("100,000 nodes"));
  CHECK_THAT(said(5000, 1, next), contains("too deep"));
}

TEST_CASE("nothing is written to the standard streams, whatever the model") {
  const ScratchFolder folder;
  const int file = ::open((folder / "streams.txt").c_str(), O_CREAT | O_RDWR, 0600);
  REQUIRE(file >= 0);
  const int out = ::dup(1);
  const int err = ::dup(2);
  const auto quiet = [&](const std::function<void()>& action) {
    ::dup2(file, 1);
    ::dup2(file, 2);
    try {
      action();
    } catch (const Error&) {
    }
    ::dup2(out, 1);
    ::dup2(err, 2);
  };
  write(folder / "text.onnx", "no model at all");
  quiet([&] { (void)Transformer::load(folder / "text.onnx", 1); });
  for (const char* op : {"Pow", "MatMul", "Softmax"}) {
    OnnxBuilder model = synthetic_transformer(Form());
    first(model.graph(), op).set_op_type("Gemm");
    model.save(folder / "model.onnx");
    quiet([&] { (void)Transformer::load(folder / "model.onnx", 1); });
  }
  synthetic_transformer(Form()).save(folder / "model.onnx");
  quiet([&] { (void)Transformer::load(folder / "model.onnx", 2).forward(std::vector<std::int64_t>{1, 2, 3}); });
  ::close(file);
  ::close(out);
  ::close(err);
  CHECK(bytes_of(folder / "streams.txt").empty());
}

TEST_CASE("damaged bytes give an error of ours or a model, never anything else") {
  const ScratchFolder folder;
  Form form;
  form.layers = 1;
  form.context = 32;
  synthetic_transformer(form).save(folder / "whole.onnx");
  const std::string whole = bytes_of(folder / "whole.onnx");
  std::uint64_t state = 2508;
  const auto draw = [&state] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(state >> 33U);
  };
  for (int trial = 0; trial < 100; ++trial) {
    std::string bytes = whole;
    for (std::size_t i = 0; i < 1 + draw() % 4; ++i) bytes[draw() % bytes.size()] = static_cast<char>(draw());
    write(folder / "model.onnx", bytes);
    try {
      (void)Transformer::load(folder / "model.onnx", 1);
    } catch (const Error& error) {
      CHECK(error.fault() == Fault::input);
    }
  }
}
