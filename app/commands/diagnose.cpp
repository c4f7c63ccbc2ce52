#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "app/command_folder.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/number_check.hpp"
#include "app/csv.hpp"
#include "app/diagnose/tables.hpp"
#include "app/model_window.hpp"
#include "app/output.hpp"
#include "app/program.hpp"
#include "app/progress.hpp"
#include "app/run_record.hpp"
#include "app/standard_output.hpp"
#include "app/stopwatch.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

struct DiagnoseOptions {
  WindowOptions window;
  ProfileOptions profile;
  RuleLimits limits;
  bool json = false;
  std::string output;
};

void check(const DiagnoseOptions& options) {
  const std::size_t half = options.window.length / 2;
  if (options.profile.top == 0 || options.profile.top > half) {
    throw_usage(fmt::format("N = {} and half of the window has {} tokens", options.profile.top, half), "--top",
                "N from 1 to half of --length");
  }
  if (!(options.profile.active_share > 0 && options.profile.active_share <= 1)) {
    throw_usage(fmt::format("{} is no share of the weight", options.profile.active_share), "--active-mass",
                "a number above 0 and at most 1, e.g. 0.9");
  }
}

int diagnose(DiagnoseOptions options) {
  const std::string schema = "headroom.diagnose_run/1";
  check(options);
  options.profile.vectors = vector_kind(options.window.vectors);
  options.profile.normalize = !options.window.no_normalize;
  const std::filesystem::path folder = options.output;
  if (!options.output.empty()) create_command_folder(folder, schema);
  Stopwatch total;
  Stopwatch watch;
  RunRecord run(schema);
  const ModelWindow window = ModelWindow::open(options.window);
  run.seconds("load", watch.lap());
  const model::Activations activations = window.model.transformer.forward(window.ids);
  run.seconds("forward", watch.lap());
  std::vector<HeadProfile> heads;
  {
    Progress progress("heads", window.heads());
    heads = profile_heads(activations, options.profile, progress);
  }
  run.seconds("measure", watch.lap());
  if (!options.output.empty()) {
    write_file(folder / "heads.csv", to_csv(diagnosis_table(heads, options.limits)));
    window.describe(run, options.window);
    run.set("limits", limits_json(options.limits, options.profile));
    run.seconds("total", total.lap());
    run.write(folder / "run.json");
    spdlog::info("heads.csv and run.json are in {}", folder.string());
  }
  print_data(options.json ? diagnosis_json(heads, options.limits, options.profile).dump(1) + "\n"
                          : diagnosis_text(heads, options.limits, options.profile));
  return exit_done;
}

}  // namespace

void add_diagnose(CLI::App& program, Action& action) {
  auto options = std::make_shared<DiagnoseOptions>();
  CLI::App* command =
      program.add_subcommand("diagnose", "The paper's three guidelines as numbers of every head, and which it breaks");
  add_window_options(*command, options->window);
  const auto limit = [&](const std::string& name, double& value, const std::string& meaning) {
    command->add_option(name, value, meaning)->check(finite_number())->capture_default_str();
  };
  command->add_option("--top", options->profile.top, "N of N_s/N")->check(whole_number())->capture_default_str();
  limit("--active-mass", options->profile.active_share, "share of the weight that the active set holds");
  limit("--active-limit", options->limits.active_share, "guideline 1: largest active set, times L");
  limit("--separable-limit", options->limits.separable, "guideline 2: smallest N_s/N");
  limit("--slope-limit", options->limits.slope, "guideline 2: largest rise of the entropy per unit of log L");
  limit("--temperature-limit", options->limits.temperature, "guideline 3: smallest effective temperature");
  limit("--sink-weight", options->limits.sink_weight, "a sink gives the first token at least this");
  limit("--retriever-weight", options->limits.retriever_weight, "a retriever, no sink, gives one token at least this");
  command->add_flag("--json", options->json, "machine-readable output");
  command->add_option("-o,--output", options->output, "folder for heads.csv and run.json");
  command->callback([options, &action] { action = [options] { return diagnose(*options); }; });
}

}  // namespace headroom::app
