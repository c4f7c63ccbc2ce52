#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/command_folder.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/number_check.hpp"
#include "app/compare/comparison_json.hpp"
#include "app/compare/fit_summary.hpp"
#include "app/compare/tables.hpp"
#include "app/csv.hpp"
#include "app/model_window.hpp"
#include "app/normalizer_choice.hpp"
#include "app/output.hpp"
#include "app/program.hpp"
#include "app/progress.hpp"
#include "app/run_record.hpp"
#include "app/standard_output.hpp"
#include "app/stopwatch.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

struct CompareCommand {
  WindowOptions window;
  std::vector<std::string> normalizers = {"softmax",   "ssmax:s=0.43", "logn",     "topk:k=32",
                                          "sparsemax", "entmax",       "asentmax", "sigmoid"};
  std::vector<std::size_t> tops = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  std::vector<std::size_t> lengths;
  std::string match = "none";
  bool json = false;
  std::string output;
};

void sort_distinct(std::vector<std::size_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

CompareOptions options_of(const CompareCommand& command) {
  CompareOptions options;
  options.normalizers = normalizer_specs(command.normalizers);
  options.match = command.match == "entropy"      ? Match::entropy
                  : command.match == "max-weight" ? Match::max_weight
                                                  : Match::none;
  options.vectors = vector_kind(command.window.vectors);
  options.normalize = !command.window.no_normalize;
  options.expected = true;
  const std::size_t length = command.window.length;
  for (const std::size_t top : command.tops) {
    if (top == 0) throw_usage("N = 0 selects nothing", "--top", "N of at least 1");
    if (top < length) options.tops.push_back(top);
  }
  sort_distinct(options.tops);
  if (options.tops.empty()) throw_usage("no N is below the length", "--top", "N below --length");
  options.lengths = command.lengths;
  for (const std::size_t l : command.lengths) {
    if (l <= options.tops.front() || l > length) {
      throw_usage(fmt::format("L = {} lies outside of {} to {}", l, options.tops.front() + 1, length), "--lengths",
                  "lengths above the smallest N and up to --length");
    }
  }
  if (command.lengths.empty()) {
    for (std::size_t l = 64; l < length; l *= 2) options.lengths.push_back(l);
  }
  options.lengths.push_back(length);
  sort_distinct(options.lengths);
  if (options.match == Match::none) return options;
  for (const std::string& name : options.normalizers) {
    if (Candidate(name).signed_weights()) {
      throw_usage("its weights can be negative and have no entropy to match", name, "leave it out, or --match none");
    }
  }
  return options;
}

/// Leaves every head without a match in run.json, but not beside the results of an earlier run.
void record_refusal(const RunRecord& run, const std::filesystem::path& folder) {
  if (folder.empty() || std::filesystem::exists(folder / "heads.csv")) return;
  run.write(folder / "run.json");
  spdlog::info("all heads without a match are named in {}", (folder / "run.json").string());
}

int compare(const CompareCommand& command) {
  CompareOptions options = options_of(command);
  const std::string schema = "headroom.compare/1";
  const std::filesystem::path folder = command.output;
  if (!command.output.empty()) create_command_folder(folder, schema);
  Stopwatch total;
  Stopwatch watch;
  RunRecord run(schema);
  const ModelWindow window = ModelWindow::open(command.window);
  const auto& blocks = window.model.transformer.blocks();
  if (!std::all_of(blocks.begin(), blocks.end(), [](const auto& block) { return block.causal; })) {
    if (!command.lengths.empty()) {
      throw_input("the model is not causal, so that shorter contexts are no part of longer ones",
                  window.model.onnx.string(), "leave out --lengths, and call once per --length");
    }
    options.lengths = {command.window.length};
  }
  run.seconds("load", watch.lap());
  const model::Activations activations = window.model.transformer.forward(window.ids);
  run.seconds("forward", watch.lap());
  std::vector<HeadFits> fits;
  std::vector<HeadComparison> heads;
  {
    Progress progress("heads fitted and measured", 2 * window.heads());
    const auto advance = [&] { progress.advance(); };
    fits = fit_heads(activations, options, advance);
    if (all_reached(fits)) heads = measure_heads(activations, options, fits, advance);
  }
  run.seconds("measure", watch.lap());
  window.describe(run, command.window);
  run.set("normalizers", options.normalizers);
  run.set("match", command.match);
  run.set("top", options.tops);
  run.set("lengths", options.lengths);
  if (options.match != Match::none) run.set("fit_summary", fit_summary(fits, heads, options));
  if (!all_reached(fits)) {
    record_refusal(run, command.output);
    require_reached(fits, options);
  }
  const Table normalizers = compare_normalizers_table(heads, options);
  if (!command.output.empty()) {
    write_file(folder / "heads.csv", to_csv(compare_heads_table(heads, options)));
    write_file(folder / "normalizers.csv", to_csv(normalizers));
    run.seconds("write", watch.lap());
    run.seconds("total", total.lap());
    run.write(folder / "run.json");
    spdlog::info("heads.csv, normalizers.csv and run.json are in {}", folder.string());
  }
  print_data(command.json ? comparison_json(heads, normalizers, options).dump(1) + "\n"
                          : compare_text(normalizers, options));
  return exit_done;
}

}  // namespace

void add_compare(CLI::App& program, Action& action) {
  auto options = std::make_shared<CompareCommand>();
  CLI::App* command =
      program.add_subcommand("compare", "What each normalizer would do to the heads of a model, on their own logits");
  add_window_options(*command, options->window);
  command
      ->add_option("--normalizers", options->normalizers, "ID[:key=value,...] of list normalizers, separated by commas")
      ->capture_default_str();
  command
      ->add_option("--match", options->match,
                   "fit every normalizer's temperature, head by head, to softmax's mean entropy or largest weight")
      ->check(CLI::IsMember({"none", "entropy", "max-weight"}))
      ->capture_default_str();
  command->add_option("--top", options->tops, "N")->delimiter(',')->check(whole_number())->capture_default_str();
  command->add_option("--lengths", options->lengths, "context lengths (default: 64, 128 ... --length)")
      ->delimiter(',')
      ->check(whole_number());
  command->add_flag("--json", options->json, "machine-readable output");
  command->add_option("-o,--output", options->output, "folder for heads.csv, normalizers.csv and run.json");
  command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace headroom::app
