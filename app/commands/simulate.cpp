#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "app/commands/commands.hpp"
#include "app/commands/number_check.hpp"
#include "app/interrupt.hpp"
#include "app/json.hpp"
#include "app/program.hpp"
#include "app/progress.hpp"
#include "app/recorded_heads.hpp"
#include "app/standard_output.hpp"
#include "app/stopwatch.hpp"
#include "core/error.hpp"
#include "verify/cell_run.hpp"

namespace headroom::app {
namespace {

using verify::Quantity;

constexpr double confidence = 0.95;

struct SimulateOptions {
  verify::CellParameters cell;
  std::uint64_t trials = 0;
  std::uint64_t seed = 1;
  std::string quantities;
  bool json = false;
};

// In portions of about a second, so that progress can be told.
void run(verify::CellMeans& means, const verify::Cell& cell, const SimulateOptions& options) {
  Progress progress("trials", options.trials);
  std::uint64_t portion = 256;
  Stopwatch watch;
  while (means.trials() < options.trials) {
    if (!means.run(cell, options.seed, std::min(portion, options.trials - means.trials()), interrupted)) {
      throw Interrupted(fmt::format("{} of {} trials were done; nothing is kept", means.trials(), options.trials));
    }
    progress.update(means.trials());
    if (watch.lap() < 0.5) portion *= 2;
  }
}

Json parameters_json(const verify::Cell& cell, std::uint64_t seed) {
  const verify::CellParameters& p = cell.parameters();
  Json json = {{"length", p.length},           {"dim", p.dim},
               {"logits", p.logits},           {"normalizer", p.normalizer},
               {"temperature", p.temperature}, {"separation", p.separation},
               {"sampler", p.sampler},         {"seed", seed}};
  if (p.sampler.starts_with("mcmc")) {
    const sim::SamplerReport mixing = cell.sampler().report();
    json["mixing"] = {{"acceptance", mixing.acceptance},
                      {"effective_sample_size", mixing.effective_sample_size},
                      {"r_hat", mixing.r_hat},
                      {"sweeps", mixing.sweeps}};
  }
  return json;
}

// Calls visit(request, quantity, moments) for everything measured.
template <class Visit>
void for_each_value(const verify::Cell& cell, const verify::CellMeans& means, Visit visit) {
  for (std::size_t request = 0; request < cell.plan().requests().size(); ++request) {
    for (std::size_t q = 0; q < verify::quantity_count; ++q) {
      const auto quantity = static_cast<Quantity>(q);
      if (cell.plan().slot(request, quantity) != verify::Plan::none) {
        visit(request, quantity, means.of(cell, request, quantity));
      }
    }
  }
}

std::string json_text(const verify::Cell& cell, const verify::CellMeans& means, std::uint64_t seed) {
  Json top = Json::object();
  for_each_value(cell, means, [&](std::size_t request, Quantity quantity, const verify::Moments& moments) {
    const verify::Interval interval = verify::mean_interval(moments, confidence);
    top[std::to_string(cell.plan().requests()[request].top)][std::string(name(quantity))] = {
        {"mean", json_number(moments.mean)},
        {"se", json_number(moments.standard_error())},
        {"ci", {json_number(interval.lower), json_number(interval.upper)}}};
  });
  const Json document = {{"schema", "headroom.cell/1"},
                         {"parameters", parameters_json(cell, seed)},
                         {"trials", means.trials()},
                         {"top", top}};
  return document.dump(1) + "\n";
}

std::string table_text(const verify::Cell& cell, const verify::CellMeans& means, std::uint64_t seed) {
  const verify::CellParameters& p = cell.parameters();
  std::string text =
      fmt::format("{} trials, L = {}, d = {}, {}, {}, T = {}, separation {}, {}, seed {}\n", means.trials(), p.length,
                  p.dim, p.logits, p.normalizer, p.temperature, p.separation, p.sampler, seed);
  if (p.sampler.starts_with("mcmc")) {
    const sim::SamplerReport mixing = cell.sampler().report();
    text += fmt::format("mixing: acceptance {:.3f}, effective sample size {:.0f}, R-hat {:.4f}, {} sweeps\n",
                        mixing.acceptance, mixing.effective_sample_size, mixing.r_hat, mixing.sweeps);
  }
  text +=
      fmt::format("{:>6}  {:<22}{:>14}{:>12}   {:.0f} % interval\n", "N", "quantity", "mean", "s.e.", 100 * confidence);
  for_each_value(cell, means, [&](std::size_t request, Quantity quantity, const verify::Moments& moments) {
    const verify::Interval interval = verify::mean_interval(moments, confidence);
    text += fmt::format("{:>6}  {:<22}{:>14.6g}{:>12.2g}   {:.6g} .. {:.6g}\n", cell.plan().requests()[request].top,
                        name(quantity), moments.mean, moments.standard_error(), interval.lower, interval.upper);
  });
  return text;
}

int simulate(const SimulateOptions& options) {
  if (options.trials == 0) throw_usage("no trials leave nothing to average", "--trials", "at least 1");
  verify::CellParameters parameters = options.cell;
  if (!options.quantities.empty()) parameters.quantities = verify::quantities_of(options.quantities);
  const verify::Cell cell(parameters, read_recorded(parameters.logits));
  verify::CellMeans means(cell);
  run(means, cell, options);
  print_data(options.json ? json_text(cell, means, options.seed) : table_text(cell, means, options.seed));
  return exit_done;
}

}  // namespace

void add_simulate(CLI::App& program, Action& action) {
  auto options = std::make_shared<SimulateOptions>();
  verify::CellParameters& cell = options->cell;
  CLI::App* command = program.add_subcommand("simulate", "One Monte-Carlo cell: means with intervals");
  command->add_option("--length", cell.length, "L, tokens")->check(whole_number())->required();
  command->add_option("--dim", cell.dim, "d, dimension of the vectors")->check(whole_number())->required();
  command->add_option("--top", cell.tops, "the N to measure, e.g. 1,5,20")
      ->delimiter(',')
      ->check(whole_number())
      ->required();
  command->add_option("--trials", options->trials, "heads to draw")->check(whole_number())->required();
  command->add_option("--normalizer", cell.normalizer, "ID[:key=value,...] of list normalizers")->capture_default_str();
  command->add_option("--logits", cell.logits, "ID[:key=value,...] of list logits")->capture_default_str();
  command->add_option("--separation", cell.separation, "smallest distance between two vectors")
      ->check(finite_number())
      ->capture_default_str();
  command->add_option("--sampler", cell.sampler,
                      "ID[:key=value,...] of list samplers (default: by L, d and separation)");
  command->add_option("--seed", options->seed, "of the random streams")->check(whole_number())->capture_default_str();
  command->add_option("--temperature", cell.temperature, "T, which the logits are divided by")
      ->check(finite_number())
      ->capture_default_str();
  command->add_option("--quantities", options->quantities,
                      "names separated by commas, or all (default: the cheap ones)");
  command->add_flag("--json", options->json, "machine-readable output");
  command->callback([options, &action] { action = [options] { return simulate(*options); }; });
}

}  // namespace headroom::app
