#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/command_folder.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/number_check.hpp"
#include "app/csv.hpp"
#include "app/frontier/figures.hpp"
#include "app/frontier/grid.hpp"
#include "app/json.hpp"
#include "app/normalizer_choice.hpp"
#include "app/output.hpp"
#include "app/plot/svg.hpp"
#include "app/program.hpp"
#include "app/run_record.hpp"
#include "app/standard_output.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

struct FrontierOptions {
  std::vector<std::string> normalizers;
  std::vector<std::size_t> lengths = {64, 1024, 16384};
  std::vector<double> weights = {0.5, 0.9, 0.99};
  double temperature = 1;
  bool json = false;
  std::string output;
};

template <class T>
void sort_distinct(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

FrontierGrid grid_of(const FrontierOptions& options) {
  FrontierGrid grid{options.normalizers.empty() ? frontier_normalizers() : normalizer_specs(options.normalizers),
                    options.lengths, options.weights, options.temperature};
  sort_distinct(grid.lengths);
  sort_distinct(grid.weights);
  if (!(grid.temperature > 0))
    throw_usage("the temperature must be positive", "--temperature", "1 leaves logits alone");
  if (grid.lengths.front() < 2) {
    throw_usage(fmt::format("n = {} has no other token to be ahead of", grid.lengths.front()), "--lengths",
                "n of at least 2");
  }
  if (!(grid.weights.front() > 0)) {
    throw_usage(fmt::format("p = {} is no weight to reach", grid.weights.front()), "--weights", "p above 0, e.g. 0.9");
  }
  for (const double weight : grid.weights) {
    const auto reaches = [&](const std::string& normalizer) { return frontier_reaches(normalizer, weight); };
    if (std::any_of(grid.normalizers.begin(), grid.normalizers.end(), reaches)) continue;
    throw_usage(fmt::format("p = {} is a weight that none of the normalizers gives", weight), "--weights",
                "p below 1; sparse normalizers give 1 too, and sasoftmax more");
  }
  return grid;
}

Json document_of(const FrontierGrid& grid, const Table& table) {
  Json points = Json::array();
  const auto margin = table.optional_numbers("margin");
  const auto norm = table.optional_numbers("jacobian_norm");
  const std::vector<std::string> normalizer = table.texts("normalizer");
  const std::vector<std::string> note = table.texts("note");
  const auto value = [](const std::optional<double>& number) { return number ? json_number(*number) : Json(); };
  for (std::size_t row = 0; row < table.rows(); ++row) {
    points.push_back({{"normalizer", normalizer[row]},
                      {"length", grid.lengths[row / grid.weights.size() % grid.lengths.size()]},
                      {"weight", grid.weights[row % grid.weights.size()]},
                      {"margin", value(margin[row])},
                      {"jacobian_norm", value(norm[row])}});
    if (!note[row].empty()) points.back()["note"] = note[row];
  }
  return {{"schema", "headroom.frontier/1"}, {"temperature", grid.temperature}, {"points", points}};
}

int frontier(const FrontierOptions& options) {
  const FrontierGrid grid = grid_of(options);
  const Table table = frontier_table(grid);
  if (!options.output.empty()) {
    const std::filesystem::path folder = options.output;
    const std::string schema = "headroom.frontier_run/1";
    create_command_folder(folder, schema);
    const Table curves = frontier_curves(grid);
    write_file(folder / "frontier.csv", to_csv(table));
    write_file(folder / "curves.csv", to_csv(curves));
    write_file(folder / "frontier.svg", plot::to_svg(frontier_figure(table, curves, grid)));
    write_file(folder / "margin.svg", plot::to_svg(margin_figure(curves, grid)));
    RunRecord run(schema);
    run.set("normalizers", grid.normalizers);
    run.set("lengths", grid.lengths);
    run.set("weights", grid.weights);
    run.set("temperature", grid.temperature);
    run.write(folder / "run.json");
    spdlog::info("frontier.csv, curves.csv, frontier.svg, margin.svg and run.json are in {}", folder.string());
  }
  print_data(options.json ? document_of(grid, table).dump(1) + "\n" : frontier_text(grid));
  return exit_done;
}

}  // namespace

void add_frontier(CLI::App& program, Action& action) {
  auto options = std::make_shared<FrontierOptions>();
  CLI::App* command = program.add_subcommand(
      "frontier", "The margin a token needs to get a weight, and the sensitivity there, for every normalizer");
  command->add_option("--normalizers", options->normalizers,
                      "ID[:key=value,...] of list normalizers, separated by commas (default: one of every family)");
  command->add_option("--lengths", options->lengths, "n, tokens of the row")
      ->delimiter(',')
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--weights", options->weights, "p, the weight the token shall have")
      ->delimiter(',')
      ->check(finite_number())
      ->capture_default_str();
  command->add_option("--temperature", options->temperature, "T, which the logits are divided by")
      ->check(finite_number())
      ->capture_default_str();
  command->add_flag("--json", options->json, "machine-readable output");
  command->add_option("-o,--output", options->output, "folder for frontier.csv, curves.csv and the figures");
  command->callback([options, &action] { action = [options] { return frontier(*options); }; });
}

}  // namespace headroom::app
