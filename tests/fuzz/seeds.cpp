#include <onnx/onnx_pb.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>

#include "model/npy_write.hpp"
#include "synthetic_transformer.hpp"

namespace fs = std::filesystem;
using headroom::test::Form;
using headroom::test::OnnxBuilder;
using headroom::test::synthetic_transformer;

namespace {

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

Form small() {
  Form form;
  form.layers = 1;
  form.heads = 2;
  form.kv_heads = 2;
  form.head_dim = 2;
  form.vocabulary = 9;
  form.context = 4;
  return form;
}

void write_forms(const fs::path& folder) {
  const auto form = [&](const std::string& name, const std::function<void(Form&)>& change) {
    Form changed = small();
    change(changed);
    fs::create_directories(folder);
    synthetic_transformer(changed).save(folder / (name + ".onnx"));
  };
  form("plain", [](Form&) {});
  form("einsum", [](Form& f) { f.einsum = true; });
  form("merged", [](Form& f) { f.merged_heads = true; });
  form("rotary", [](Form& f) { f.rotary = true; });
  form("grouped", [](Form& f) { f.kv_heads = 1; });
  form("alibi", [](Form& f) { f.alibi = true; });
  form("gate", [](Form& f) { f.mask = Form::Mask::gate; });
  form("sqrt", [](Form& f) { f.scale = Form::Scale::sqrt_on_both; });
  form("where_and_add", [](Form& f) { f.mask = Form::Mask::where_and_add; });
  form("inputs", [](Form& f) { f.attention_mask = f.position_ids = f.token_types = f.past = true; });
  form("half", [](Form& f) { f.half_weights = f.post_norm = f.guarded = f.copies = true; });
}

/// The hostile models of the tests, as files.
void write_hostile(const fs::path& folder) {
  const auto damaged = [&](const std::string& name, const std::function<void(onnx::GraphProto&)>& damage) {
    OnnxBuilder model = synthetic_transformer(small());
    damage(model.graph());
    model.save(folder / (name + ".onnx"));
  };
  const auto outside = [&](const std::string& location) {
    return [location](onnx::GraphProto& graph) {
      onnx::TensorProto& tensor = *graph.mutable_initializer(0);
      tensor.clear_raw_data();
      tensor.set_data_location(onnx::TensorProto::EXTERNAL);
      onnx::StringStringEntryProto& entry = *tensor.add_external_data();
      entry.set_key("location");
      entry.set_value(location);
    };
  };
  damaged("hostile-enormous", [](onnx::GraphProto& g) { g.mutable_initializer(0)->set_dims(0, 1000000000000); });
  damaged("hostile-cycle", [](onnx::GraphProto& g) { g.mutable_node(0)->set_input(0, g.output(0).name()); });
  damaged("hostile-missing", [](onnx::GraphProto& g) { g.mutable_initializer(0)->set_name("lost"); });
  damaged("hostile-utf8", [](onnx::GraphProto& g) { g.mutable_node(0)->set_name("\xFF"); });
  damaged("hostile-no-rows", [](onnx::GraphProto& g) {
    for (onnx::TensorProto& tensor : *g.mutable_initializer()) {
      if (tensor.name() != "wte") continue;
      tensor.set_dims(0, 0);
      tensor.clear_raw_data();
    }
  });
  damaged("hostile-outside", outside("../secret.bin"));
  damaged("hostile-absolute", outside("/etc/hostname"));
  damaged("external", outside("weights.bin"));
}

void write_arrays(const fs::path& folder) {
  const std::vector<double> values(12, 0.25);
  write(folder / "matrix.npy", headroom::model::npy_bytes(std::vector<std::size_t>{3, 4}, values));
  write(folder / "heads.npy",
        headroom::model::npy_bytes(std::vector<std::size_t>{2, 3, 2}, values, headroom::model::NpyFloat::float32));
  write(folder / "empty.npy", headroom::model::npy_bytes(std::vector<std::size_t>{0, 4}, {}));
}

void write_texts(const fs::path& folder) {
  using namespace std::string_literals;  // NOLINT(google-build-using-namespace)
  write(folder / "tokenizer/merges", "\0#version: 0.2\nt h\nth e\n\xC4\xA0 the\n\0 the then, it's 12 \xE2\x82\xAC\n"s);
  write(folder / "tokenizer/vocab", "{\"a\": 0, \"\\u0120b\": 1, \"<|endoftext|>\": 2}\0a b\n\0ab"s);
  const char* const specs[] = {"softmax",
                               "ssmax:s=0.43,b=0",
                               "entmax:alpha=1.5",
                               "asentmax:delta=1,beta=0.5,gamma=1,alpha=1.5",
                               "sigmoid:b=-logn",
                               "topk:k=32",
                               "power:f=softplus",
                               "planted:k=4,m=2,sigma=1",
                               "sink:share=0.5,sigma=1",
                               "step:k=3,low=1e-6",
                               "zipf:s=1",
                               "dot:scale=1",
                               "file:path"};
  for (const char* spec : specs) write(folder / "spec" / spec, spec);
  for (const char* value : {"1,5,20", "0.5", "1e300", "-1", "18446744073709551615", "lemma1,law", "[1,2]"}) {
    write(folder / "command_line" / value, value);
  }
  write(
      folder / "grid/whole",
      "trials = 300\ntarget = {quantity = \"separable\", standard_error = 0.1}\n"
      "exclude = [\"top >= length or normalizer == 'entmax'\", \"not log2(temperature) < min(2, length^2 / 3 - 1)\"]\n"
      "[axes]\nlength = {scale = \"powers-of-two\", from = 4, to = 16}\ntop = [1, 2]\n"
      "temperature = {scale = \"log\", from = 0.1, to = 10, count = 3}\n[constants]\nnormalizer = \"softmax\"\n\0"
      "\"shard\":\"headroom.shard/1\"\n"
      // The cell is the hash of what it is of.
      "\"cell\":\"ba3b7e9ab3c3b5a4\",\"seed\":1,\"trials\":256,\"groups\":[1,2],\"of\":\"4 0.1 softmax \",\"values\":"
      "{\"1\":{\"separable\":[256,1,0]},\"2\":{\"separable\":[256,0.5,\"inf\"]}}\n"
      "\"cell\":\"ba3b7e9ab3c3b5a4\",\"seed\":1,\"trials\":256,\"groups\":[1],\"of\":\"4 0.1 softmax \",\"failed\":\"why\""s);
  write(folder / "expected/whole",
        "schema = \"headroom.expected/1\"\n[a]\nlemma1 = \"holds\"\n\"lemma1.sharp\" = \"refuted\"  # so\n[b]\nlaw = "
        "\"measured\"\n");
  write(folder / "counterexample/whole",
        R"({"schema": "headroom.counterexample/1", "claim": "cor3", "normalizer": "softmax", "dim": 1, "top": 1,)"
        R"( "temperature": "0x1p+0", "logits": ["0x0p+0", "-0x1.8p-3"], "epsilon": "0x1p-2", "direction": ["0x1p+0"],)"
        R"( "vectors": ["0x1p-1"], "observed": "0x1p-1", "bound": "0x1p-2"})");
}

}  // namespace

/// headroom_fuzz_seeds DIR: a folder of small inputs for each target.
int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: headroom_fuzz_seeds DIR\n";
    return 2;
  }
  const fs::path folder = argv[1];
  write_forms(folder / "onnx");
  write_hostile(folder / "onnx");
  write_arrays(folder / "npy");
  write_texts(folder);
  return 0;
}
