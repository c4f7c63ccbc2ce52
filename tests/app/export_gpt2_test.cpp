// scripts/export-gpt2 needs PyTorch, an optional Debian package.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/run.hpp"
#include "catch.hpp"
#include "model/npy.hpp"
#include "model/transformer.hpp"

using namespace headroom;  // NOLINT(google-build-using-namespace)
using headroom::app::test::content;
using headroom::app::test::Outcome;
using headroom::app::test::run;
using headroom::app::test::TemporaryFolder;
using headroom::app::test::operator/;

namespace {

const std::string python = HEADROOM_PYTHON;
const std::string sources = HEADROOM_SOURCE;
const std::string tokenizer = sources + "/model/assets/gpt2-wp";

bool torch_missing() {
  if (std::system(("'" + python + "' -c 'import torch' > /dev/null 2>&1").c_str()) == 0) return false;
  WARN("skipped: " + python + " has no PyTorch (apt-get install python3-torch)");
  return true;
}

/// The checkpoints of make_gpt2_checkpoints.py, and folders to export them to.
class Checkpoints {
 public:
  Checkpoints() {
    const std::string script = sources + "/tests/app/fixtures/make_gpt2_checkpoints.py";
    REQUIRE(shell("'" + python + "' '" + script + "' '" + folder_.path().string() + "'").status == 0);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

  /// Runs export-gpt2 with modules of the test's own before the installed ones.
  Outcome export_with(const std::string& arguments) const {
    return run_python("'" + sources + "/scripts/export-gpt2' " + arguments);
  }

  [[nodiscard]] Outcome run_python(const std::string& arguments) const {
    return shell("cd '" + folder_.path().string() + "' && PYTHONPATH=modules '" + python + "' " + arguments);
  }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name)) << text;
  }

 private:
  [[nodiscard]] Outcome shell(const std::string& command) const {
    Outcome outcome;
    const int status = std::system(("(" + command + ") > '" + path("out") + "' 2> '" + path("err") + "'").c_str());
    outcome.status = status < 0 ? status : status / 256;
    outcome.out = content(path("out"));
    outcome.err = content(path("err"));
    INFO(outcome.err);
    return outcome;
  }

  TemporaryFolder folder_;
};

/// The largest difference between the weights of an exported model's heads and an array (layer, head, query, token).
double largest_difference(const model::Transformer& transformer, const model::NpyArray& expected) {
  const std::size_t layers = expected.shape[0], heads = expected.shape[1], length = expected.shape[2];
  std::vector<std::int64_t> ids(length);
  for (std::size_t i = 0; i < length; ++i) ids[i] = static_cast<std::int64_t>((i * i * 7919 + 11) % 4096);
  const model::Activations activations = transformer.forward(ids);
  std::vector<double> own(length * length);
  double worst = 0.0;
  for (std::size_t head = 0; head < layers * heads; ++head) {
    activations.weights(head / heads, head % heads, {own.data(), length, length});
    for (std::size_t i = 0; i < own.size(); ++i) {
      worst = std::max(worst, std::abs(own[i] - expected.values[head * own.size() + i]));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("the heads of an exported checkpoint attend as PyTorch computes", "[slow]") {
  if (torch_missing()) return;
  const Checkpoints checkpoints;
  struct Variant {
    const char* checkpoint;
    const char* options;
    std::size_t heads;
    std::size_t head_dim;
    std::size_t context;
  };
  for (const Variant& variant : {Variant{"published", "", 3, 16, 64}, Variant{"published", " --half", 3, 16, 64},
                                 Variant{"prefixed", "", 2, 64, 40}, Variant{"prefixed", " --heads 4", 4, 32, 40}}) {
    const std::string name = std::string("onnx-") + variant.checkpoint + variant.options;
    CAPTURE(name);
    const Outcome outcome = checkpoints.export_with(std::string(variant.checkpoint) + " --tokenizer '" + tokenizer +
                                                    "' -o '" + name + "'" + variant.options);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const model::Transformer transformer = model::Transformer::load(checkpoints.path(name + "/model.onnx"), 1);
    CHECK(transformer.context() == variant.context);
    CHECK(transformer.vocabulary() == 4096U);
    CHECK_FALSE(transformer.fixed_length());
    REQUIRE(transformer.blocks().size() == 2);
    for (const model::AttentionBlock& block : transformer.blocks()) {
      CHECK(block.heads == variant.heads);
      CHECK(block.kv_heads == variant.heads);
      CHECK(block.head_dim == variant.head_dim);
      CHECK(block.scale == Approx(1.0 / std::sqrt(static_cast<double>(variant.head_dim))));
      CHECK(block.causal);
      CHECK(block.vectors == std::vector<std::string>{"embedding", "hidden", "value"});
    }
    const model::NpyArray expected = model::read_npy(checkpoints.path(std::string(variant.checkpoint) + ".npy"));
    if (expected.shape[1] == variant.heads) CHECK(largest_difference(transformer, expected) <= 1e-5);
  }
  const auto bytes = [&](const std::string& name) {
    return static_cast<double>(std::filesystem::file_size(checkpoints.path(name + "/model.onnx")));
  };
  CHECK(bytes("onnx-published --half") < 0.6 * bytes("onnx-published"));
}

TEST_CASE("reproduce measures an exported checkpoint", "[slow]") {
  if (torch_missing()) return;
  const Checkpoints checkpoints;
  REQUIRE(checkpoints.export_with("published --tokenizer '" + tokenizer + "' -o exported").status == 0);
  std::string words;
  for (int i = 0; i < 40; ++i) words += "the cat sat on mat number " + std::to_string(i) + ". ";
  checkpoints.write("text.txt", words);
  const Outcome outcome = run({"reproduce", "--model", checkpoints.path("exported"), "--text",
                               checkpoints.path("text.txt"), "--length", "32", "-o", checkpoints.path("figures")});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(content(checkpoints.path("figures/figure3.csv")).find("\n") != std::string::npos);
}

TEST_CASE("a checkpoint is exported by its name where it can be downloaded", "[slow]") {
  if (torch_missing()) return;
  const Checkpoints checkpoints;
  for (const char* file : {"vocab.json", "merges.txt"}) {
    std::filesystem::copy_file(tokenizer + "/" + file, checkpoints.path(std::string("published/") + file));
  }
  checkpoints.write("modules/huggingface_hub.py",
                    "def snapshot_download(name, allow_patterns):\n"
                    "    assert name == 'gpt2-tiny', name\n"
                    "    return 'published'\n");
  const Outcome outcome = checkpoints.export_with("gpt2-tiny -o exported");
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(std::filesystem::exists(checkpoints.path("exported/model.onnx")));
  CHECK(content(checkpoints.path("exported/vocab.json")) == content(tokenizer + "/vocab.json"));
}

TEST_CASE("a graph that computes other logits than PyTorch is not kept", "[slow]") {
  if (torch_missing()) return;
  const Checkpoints checkpoints;
  checkpoints.write("modules/onnxruntime.py",
                    "import numpy\n"
                    "class InferenceSession:\n"
                    "    def __init__(self, path, providers): pass\n"
                    "    def run(self, names, feeds):\n"
                    "        return [numpy.ones(feeds['input_ids'].shape + (4096,), dtype=numpy.float32)]\n");
  const Outcome outcome = checkpoints.export_with("published --tokenizer '" + tokenizer + "' -o exported");
  CHECK(outcome.status == 3);
  CHECK(outcome.err.find("logits are off by") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(checkpoints.path("exported")));
}

namespace {

/// What Python does to `w`, the state dict of the published checkpoint, and what export-gpt2 says of the result.
struct Damage {
  const char* name;
  const char* statement;
  const char* message;
  const char* options = "";
};

const Damage damages[] = {
    {"missing", "del w['h.1.ln_2.bias']", "tensor h.1.ln_2.bias is missing"},
    {"transposed", "w['h.0.attn.c_attn.weight'] = w['h.0.attn.c_attn.weight'].t().contiguous()",
     "tensor h.0.attn.c_attn.weight has the shape (144, 48), not (48, 144)"},
    {"foreign", "w['h.0.attn.rotary.weight'] = torch.ones(3)", "tensor h.0.attn.rotary.weight is not part"},
    {"nan", "w['wpe.weight'][3, 3] = float('nan')", "tensor wpe.weight has values that are not finite"},
    {"large", "w['wpe.weight'][3, 3] = 1e6", "leave out --half", "--half"},
    {"headless", "del w['wte.weight']", "there is no matrix wte.weight"},
    {"list", "w = [1, 2]", "no plain state dict"},
};

}  // namespace

TEST_CASE("export-gpt2 refuses in one line what it cannot export", "[slow]") {
  if (torch_missing()) return;
  const Checkpoints checkpoints;
  const auto refused = [&](const std::string& arguments, int status, const std::string& text) {
    const Outcome outcome = checkpoints.export_with(arguments + " --tokenizer '" + tokenizer + "'");
    CAPTURE(arguments, outcome.err);
    CHECK(outcome.status == status);
    CHECK(outcome.err.starts_with("export-gpt2: "));
    CHECK(outcome.err.find(text) != std::string::npos);
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK_FALSE(std::filesystem::exists(checkpoints.path("exported")));
  };
  std::string script = "import torch\n";
  for (const Damage& damage : damages) {
    script += std::string("w = torch.load('published/pytorch_model.bin')\n") + damage.statement + "\ntorch.save(w, '" +
              damage.name + ".bin')\n";
  }
  checkpoints.write("damage.py", script);
  REQUIRE(checkpoints.run_python("damage.py").status == 0);
  refused("published", 2, "--output");
  refused("published -o published", 2, "it exists already");
  refused("published -o exported --heads 5", 2, "5 heads do not divide the width 48");
  refused("published -o exported --hafl", 2, "--hafl");
  refused("./nowhere -o exported", 3, "./nowhere: no such file or folder");
  refused(". -o exported", 3, "model.safetensors");
  refused("published.npy -o exported", 3, "published.npy: not a checkpoint");
  for (const Damage& damage : damages) {
    refused(std::string(damage.name) + ".bin -o exported --heads 3 " + damage.options, 3, damage.message);
  }
  checkpoints.write("prefixed/config.json", "{\"scale_attn_by_inverse_layer_idx\": true}");
  refused("prefixed -o exported", 3, "scale_attn_by_inverse_layer_idx is true");
  checkpoints.write("prefixed/config.json", "{\"activation_function\": \"swish\"}");
  refused("prefixed -o exported", 3, "activation_function is \"swish\"");
  checkpoints.write("prefixed/config.json", "{");
  refused("prefixed -o exported", 3, "config.json: not JSON");
}
