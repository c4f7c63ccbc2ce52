#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/program.hpp"
#include "app/standard_output.hpp"
#include "app/sweep/results.hpp"

namespace headroom::app {
namespace {

struct ResultsOptions {
  std::vector<std::string> folders;
  std::string output;
  bool json = false;
};

int status(const ResultsOptions& options) {
  for (const std::string& folder : options.folders) {
    print_data(options.json ? status_json(folder) : status_text(folder));
  }
  return exit_done;
}

int merge(const ResultsOptions& options) {
  merge_sweeps(options.folders, options.output);
  const std::size_t count = options.folders.size();
  spdlog::info("{} folder{} merged into {}", count, count == 1 ? "" : "s", options.output);
  return exit_done;
}

int export_to_file(const ResultsOptions& options) {
  export_sweep(options.folders.front(), options.output);
  return exit_done;
}

int diff(const ResultsOptions& options) {
  const SweepDifference difference = diff_sweeps(options.folders[0], options.folders[1]);
  print_data(difference.text);
  return difference.different == 0 ? exit_done : exit_unexpected;
}

}  // namespace

void add_results(CLI::App& program, Action& action) {
  auto options = std::make_shared<ResultsOptions>();
  CLI::App* command = program.add_subcommand("results", "What sweeps have computed: status, merge, export, diff");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* description, int least, int most,
                       int (*run)(const ResultsOptions&)) {
    CLI::App* part = command->add_subcommand(name, description);
    part->add_option("folders", options->folders, "folders of sweeps")->required()->expected(least, most);
    part->callback([options, run, &action] { action = [options, run] { return run(*options); }; });
    return part;
  };
  constexpr int many = 1 << 20;
  add("status", "Cells done, begun, missing and failed, and the time left", 1, many, status)
      ->add_flag("--json", options->json, "machine-readable output");
  add("merge", "Pools sweeps into a new folder", 1, many, merge)
      ->add_option("-o,--output", options->output, "the new folder")
      ->required();
  add("export", "Writes every value to a CSV, SQLite or HDF5 file", 1, 1, export_to_file)
      ->add_option("--to", options->output, "file ending in .csv, .sqlite, .db, .h5 or .hdf5")
      ->required();
  add("diff", "The values of two sweeps that differ beyond their errors; exit 1 when there are any", 2, 2, diff);
}

}  // namespace headroom::app
