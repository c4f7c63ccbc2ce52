#include "app/model_window.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/bundled.hpp"
#include "app/commands/number_check.hpp"
#include "core/error.hpp"

namespace headroom::app {

namespace fs = std::filesystem;

void add_window_options(CLI::App& command, WindowOptions& options) {
  command.add_option("--model", options.model,
                     "folder with model.onnx, vocab.json and merges.txt (default: the bundled one)");
  command.add_option("--text", options.text, "UTF-8 text (default: Moby-Dick, where scripts/setup put it)");
  command.add_option("--length", options.length, "tokens of the window")->check(whole_number())->capture_default_str();
  command.add_option("--vectors", options.vectors, "what stands for a token")
      ->check(CLI::IsMember({"embedding", "hidden", "value", "isotropic"}))
      ->capture_default_str();
  command.add_flag("--no-normalize", options.no_normalize, "keep the vectors' lengths");
  command.add_flag("--bos", options.bos, "put the end-of-text token in front, as GPT-2 does");
}

ModelWindow ModelWindow::open(const WindowOptions& options) {
  if (options.length < 2) throw_usage("the length must be at least 2", "--length", "the paper takes 1024");
  const fs::path text = options.text.empty() ? bundled_text() : fs::path(options.text);
  std::error_code error;
  if (!fs::exists(text, error)) {
    throw_input("there is no such text", text.string(), "name one with --text, or run scripts/setup for Moby-Dick");
  }
  ModelFolder model =
      ModelFolder::open(options.model.empty() ? bundled_model() : fs::path(options.model), omp_get_max_threads());
  if (const auto context = model.transformer.context(); context && options.length > *context) {
    throw_input(fmt::format("{} tokens are asked for and the model's context is {}", options.length, *context),
                model.onnx.string(), fmt::format("use --length {} or less", *context));
  }
  TextWindows cut = read_windows(model.tokenizer, text, options.length, 1, options.bos);
  return {std::move(model), text.string(), std::move(cut.windows.front())};
}

std::size_t ModelWindow::heads() const {
  std::size_t heads = 0;
  for (const model::AttentionBlock& block : model.transformer.blocks()) heads += block.heads;
  return heads;
}

void ModelWindow::describe(RunRecord& run, const WindowOptions& options) const {
  run.model(model.onnx, model.transformer.data_files(), model.transformer.blocks().size(), heads());
  run.text(text);
  run.set("length", options.length);
  run.set("vectors", options.vectors);
  run.set("normalized", !options.no_normalize);
  run.set("beginning_of_text_token", options.bos);
}

}  // namespace headroom::app
