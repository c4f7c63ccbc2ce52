#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/commands/commands.hpp"
#include "app/json.hpp"
#include "app/model_folder.hpp"
#include "app/program.hpp"
#include "app/standard_output.hpp"
#include "model/transformer.hpp"

namespace headroom::app {
namespace {

struct InspectOptions {
  std::string model;
  bool json = false;
};

Json blocks_json(const model::Transformer& transformer) {
  Json blocks = Json::array();
  for (const model::AttentionBlock& block : transformer.blocks()) {
    blocks.push_back({{"layer", block.layer},
                      {"heads", block.heads},
                      {"kv_heads", block.kv_heads},
                      {"head_dim", block.head_dim},
                      {"scale", json_number(block.scale)},
                      {"causal", block.causal},
                      {"bias", block.bias},
                      {"vectors", block.vectors},
                      {"node", block.node}});
  }
  return blocks;
}

std::string blocks_text(const model::Transformer& transformer) {
  std::string text = "layer  heads  head dim     scale  mask         vectors\n";
  for (const model::AttentionBlock& block : transformer.blocks()) {
    const std::string heads =
        block.kv_heads == block.heads ? std::to_string(block.heads) : fmt::format("{}/{}", block.heads, block.kv_heads);
    const std::string mask = std::string(block.causal ? "causal" : "not causal") + (block.bias ? "+bias" : "");
    text += fmt::format("{:>5}  {:>5}  {:>8}  {:>8.6g}  {:<11}  {}\n", block.layer, heads, block.head_dim, block.scale,
                        mask, fmt::join(block.vectors, ", "));
  }
  const auto context = transformer.context();
  text +=
      fmt::format("{} attention blocks; context {}\n", transformer.blocks().size(),
                  context ? std::to_string(*context) + (transformer.fixed_length() ? " (fixed)" : "") : "unlimited");
  return text;
}

int inspect(const InspectOptions& options) {
  const model::Transformer transformer = model::Transformer::load(onnx_path(options.model), 1);
  if (options.json) {
    Json document = {{"schema", "headroom.inspect/1"}, {"blocks", blocks_json(transformer)}};
    if (const auto context = transformer.context()) document["context"] = *context;
    print_data(document.dump(1) + "\n");
  } else {
    print_data(blocks_text(transformer));
  }
  return exit_done;
}

}  // namespace

void add_inspect(CLI::App& program, Action& action) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = program.add_subcommand("inspect", "The attention blocks found in a model");
  command->add_option("model", options->model, "an .onnx file, or a folder with model.onnx")->required();
  command->add_flag("--json", options->json, "machine-readable output");
  command->callback([options, &action] { action = [options] { return inspect(*options); }; });
}

}  // namespace headroom::app
