#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/commands/number_check.hpp"
#include "app/interrupt.hpp"
#include "app/json.hpp"
#include "app/program.hpp"
#include "app/progress.hpp"
#include "app/recorded_heads.hpp"
#include "app/standard_output.hpp"
#include "core/error.hpp"
#include "verify/cell_law.hpp"

namespace headroom::app {
namespace {

struct PredictOptions {
  verify::CellLaw::Options law;
  std::optional<std::size_t> length;
  std::optional<std::size_t> dim;
  std::vector<std::size_t> tops;
  std::string solve;
  std::optional<double> fraction;
  bool json = false;
};

Json moments_json(const verify::Moments& moments) {
  return {{"mean", json_number(moments.mean)}, {"se", json_number(moments.standard_error())}};
}

Json parameters_json(const PredictOptions& options) {
  Json json = Json::object();
  if (options.length) json["length"] = *options.length;
  if (options.dim) json["dim"] = *options.dim;
  json["logits"] = options.law.logits;
  json["normalizer"] = options.law.normalizer;
  json["temperature"] = options.law.temperature;
  json["draws"] = options.law.draws;
  json["seed"] = options.law.seed;
  return json;
}

void require(bool given, const char* option, const std::string& solve) {
  if (given) return;
  throw_usage("it is missing", option,
              solve.empty() ? "predict needs --length, --dim and --top" : "only what --solve names may be left out");
}

std::size_t only_top(const PredictOptions& options) {
  if (options.tops.size() == 1) return options.tops.front();
  throw_usage(fmt::format("{} N are given", options.tops.size()), "--top", "--solve length and dim take one");
}

// The same as JSON and for people.
struct Prediction {
  Json document;
  std::string text;
};

Prediction predict_fractions(const verify::CellLaw& law, const PredictOptions& options) {
  require(options.length.has_value(), "--length", "");
  require(options.dim.has_value(), "--dim", "");
  require(!options.tops.empty(), "--top", "");
  if (options.fraction) throw_usage("a fraction is for solving", "--fraction", "add --solve top, length or dim");
  Json top = Json::object();
  std::string text = fmt::format("{:>8}  {:>8}  {:>8}\n", "N", "N_s/N", "s.e.");
  for (const std::size_t n : options.tops) {
    const verify::Moments value = law.separable(*options.length, *options.dim, n);
    top[std::to_string(n)] = {{"separable", moments_json(value)}};
    text += fmt::format("{:>8}  {:>8.4f}  {:>8.1g}\n", n, value.mean, value.standard_error());
  }
  const Json document = {{"schema", "headroom.predict/1"}, {"parameters", parameters_json(options)}, {"top", top}};
  return {document, text};
}

struct Solution {
  std::optional<verify::CellLaw::Answer> answer;
  std::string what;   ///< "largest N"
  std::string none;   ///< why there is no answer
  std::string limit;  ///< what an answer at the limit means
};

Solution solve(const verify::CellLaw& law, const PredictOptions& options) {
  const double fraction = *options.fraction;
  if (options.solve == "top") {
    require(options.length.has_value(), "--length", options.solve);
    require(options.dim.has_value(), "--dim", options.solve);
    return {law.largest_top(*options.length, *options.dim, fraction), "largest N", "not even N = 1 does",
            "every N < L does"};
  }
  const std::size_t top = only_top(options);
  if (options.solve == "length") {
    require(options.dim.has_value(), "--dim", options.solve);
    return {law.largest_length(*options.dim, top, fraction), "largest L",
            fmt::format("not even L = N + 1 = {} does", top + 1), "longer ones were not tried"};
  }
  require(options.length.has_value(), "--length", options.solve);
  return {law.smallest_dim(*options.length, top, fraction), "smallest d",
          fmt::format("not even d = {} does", verify::CellLaw::dim_limit), ""};
}

Prediction predict_inverse(const verify::CellLaw& law, const PredictOptions& options) {
  if (!options.fraction) throw_usage("it is missing", "--fraction", "--solve needs the fraction to reach, e.g. 0.8");
  const Solution solution = solve(law, options);
  Json json = {{"for", options.solve}, {"fraction", *options.fraction}, {"value", nullptr}};
  std::string text = fmt::format("{} with N_s/N >= {}: ", solution.what, *options.fraction);
  if (solution.answer) {
    const verify::CellLaw::Answer& answer = *solution.answer;
    json["value"] = answer.value;
    json["separable"] = moments_json(answer.separable);
    json["at_limit"] = answer.at_limit;
    text += fmt::format("{} (N_s/N = {:.4f}, s.e. {:.1g}){}\n", answer.value, answer.separable.mean,
                        answer.separable.standard_error(), answer.at_limit ? "; " + solution.limit : "");
  } else {
    json["reason"] = solution.none;
    text += "none; " + solution.none + "\n";
  }
  const Json document = {{"schema", "headroom.predict/1"}, {"parameters", parameters_json(options)}, {"solve", json}};
  return {document, text};
}

// With progress, and ended by Ctrl-C.
Prediction prediction(const PredictOptions& options) {
  // How many values an inverse tries shows only on the way.
  Progress progress("draws", options.solve.empty() ? options.law.draws * options.tops.size() : 0);
  std::mutex mutex;
  const auto drawn = [&] {
    if (interrupted()) throw Interrupted("nothing is kept");
    const std::lock_guard lock(mutex);
    progress.advance();
  };
  const verify::CellLaw law(options.law, read_recorded(options.law.logits), drawn);
  return options.solve.empty() ? predict_fractions(law, options) : predict_inverse(law, options);
}

int predict(const PredictOptions& options) {
  const Prediction predicted = prediction(options);
  print_data(options.json ? predicted.document.dump(1) + "\n" : predicted.text);
  return exit_done;
}

}  // namespace

void add_predict(CLI::App& program, Action& action) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* command =
      program.add_subcommand("predict", "The fraction N_s/N of selected tokens a head separates, without simulation");
  command->add_option("--length", options->length, "L, tokens")->check(whole_number());
  command->add_option("--dim", options->dim, "d, dimension of the vectors")->check(whole_number());
  command->add_option("--top", options->tops, "N, the selected tokens, e.g. 1,5,20")
      ->delimiter(',')
      ->check(whole_number());
  command->add_option("--logits", options->law.logits, "ID[:key=value,...] of list logits")->capture_default_str();
  command->add_option("--normalizer", options->law.normalizer, "ID[:key=value,...] of list normalizers")
      ->capture_default_str();
  command->add_option("--temperature", options->law.temperature, "T, which the logits are divided by")
      ->check(finite_number())
      ->capture_default_str();
  command->add_option("--draws", options->law.draws, "draws of the weights to average over")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--seed", options->law.seed, "of the draws")->check(whole_number())->capture_default_str();
  command->add_option("--solve", options->solve, "what to solve for: the largest N or L, or the smallest d")
      ->check(CLI::IsMember({"top", "length", "dim"}));
  command->add_option("--fraction", options->fraction, "N_s/N to reach when solving")->check(finite_number());
  command->add_flag("--json", options->json, "machine-readable output");
  command->callback([options, &action] { action = [options] { return predict(*options); }; });
}

}  // namespace headroom::app
