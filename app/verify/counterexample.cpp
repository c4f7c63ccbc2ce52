#include "app/verify/counterexample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "app/json.hpp"
#include "app/output.hpp"
#include "app/program.hpp"
#include "app/standard_output.hpp"
#include "app/verify/counterexample_document.hpp"
#include "core/nearest.hpp"
#include "verify/claims/registry.hpp"

namespace headroom::app {
namespace {

std::string exact(double value) { return fmt::format("{:a}", value); }

Json exact(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(exact(value));
  return json;
}

const verify::PointwiseClaim& claim_of(const CounterexampleDocument& document) {
  const std::string id = document.text("claim");
  std::vector<std::string> known;
  for (const verify::ClaimPointer& claim : verify::all_claims()) {
    const auto* pointwise = dynamic_cast<const verify::PointwiseClaim*>(claim.get());
    if (pointwise == nullptr) continue;
    if (claim->id() == id) return *pointwise;
    known.push_back(claim->id());
  }
  document.fail("\"" + id + "\" is no pointwise claim", "claim", "did you mean " + nearest(id, known) + "?");
}

void check_range(const CounterexampleDocument& document, const std::string& key, const std::vector<double>& values,
                 verify::Range range) {
  const auto outside =
      std::ranges::find_if(values, [&](double value) { return !(range.lower <= value && value <= range.upper); });
  if (outside == values.end()) return;
  // In a list the index of the element at fault.
  document.fail(fmt::format("{} is outside of what the claim is tested on", *outside),
                fmt::format("{}[{}]", key, outside - values.begin()),
                fmt::format("stay within {} to {}", range.lower, range.upper));
}

void check_size(const CounterexampleDocument& document, const std::string& key, std::size_t size,
                std::size_t expected) {
  if (size == expected) return;
  document.fail(fmt::format("{} numbers where {} belong", size, expected), key, "the sizes follow from logits and dim");
}

void check_shape(const CounterexampleDocument& document, const verify::PointwiseClaim& claim,
                 const verify::Shape& shape) {
  if (!claim.domain().admits(shape)) {
    document.fail(
        fmt::format("{} says nothing of {} tokens, d = {}, N = {}", claim.id(), shape.length, shape.dim, shape.top), "",
        "give as many tokens, d and N as the claim asks for");
  }
  const std::vector<verify::PointCell> grid = claim.grid(verify::Preset::quick);
  const bool selects = grid.front().shape.top > 0;
  if (selects != (shape.top > 0)) {
    document.fail("N does not fit the claim", "top", selects ? "give N ≥ 1" : "leave it out");
  }
  std::vector<std::string> known;
  for (const verify::PointCell& cell : grid) known.push_back(cell.shape.normalizer);
  if (std::ranges::find(known, shape.normalizer) == known.end()) {
    document.fail("the claim is not about the normalizer \"" + shape.normalizer + "\"", "normalizer",
                  "did you mean " + nearest(shape.normalizer, known) + "?");
  }
}

// The last digits of an evaluation in 168 bits may depend on the version of the library, those of a double may not.
bool same(double a, double b) {
  return std::abs(a - b) <= 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b));
}

}  // namespace

std::string counterexample_name(const std::string& claim) { return "counterexamples/" + claim + ".json"; }

std::string worst_case_name(const std::string& claim, bool fails) {
  return fails ? "counterexamples/" + claim + ".worst.json" : "worst/" + claim + ".json";
}

std::string counterexample_json(const verify::PointwiseClaim& claim, const verify::PointInput& input) {
  const verify::Outcome outcome = claim.evaluate_exactly(input);
  Json json = {{"schema", outcome.violated() ? counterexample_schema : worst_input_schema},
               {"claim", claim.id()},
               {"statement", claim.text().statement},
               {"normalizer", input.shape.normalizer}};
  if (input.shape.dim > 0) json["dim"] = input.shape.dim;
  if (input.shape.top > 0) json["top"] = input.shape.top;
  json["temperature"] = exact(input.temperature);
  json["logits"] = exact(input.logits);
  if (claim.domain().step) {
    json["epsilon"] = exact(input.epsilon);
    json["direction"] = exact(input.direction);
  }
  if (claim.domain().vectors) json["vectors"] = exact(input.vectors);
  json["observed"] = exact(outcome.observed);
  json["bound"] = exact(outcome.bound);
  return json.dump(1) + "\n";
}

void write_inputs(const VerifyReport& report, const std::filesystem::path& folder) {
  for (std::size_t k = 0; k < report.run.results.size(); ++k) {
    const verify::ClaimResult& result = report.run.results[k];
    const auto* claim = dynamic_cast<const verify::PointwiseClaim*>(report.claims[k]);
    if (claim == nullptr || !result.worst_input) continue;
    const std::filesystem::path worst = folder / worst_case_name(claim->id(), result.counterexample.has_value());
    create_output_folder(worst.parent_path());
    write_file(worst, counterexample_json(*claim, *result.worst_input));
    if (!result.counterexample) continue;
    write_file(folder / counterexample_name(claim->id()), counterexample_json(*claim, *result.counterexample));
  }
}

Counterexample read_counterexample(const std::filesystem::path& file) {
  const CounterexampleDocument document(file);
  const verify::PointwiseClaim& claim = claim_of(document);
  const verify::Domain& domain = claim.domain();
  Counterexample read;
  read.claim = &claim;
  verify::PointInput& input = read.input;
  input.logits = document.numbers("logits");
  input.shape = {.length = input.logits.size(),
                 .dim = document.count("dim"),
                 .top = document.count("top"),
                 .normalizer = document.text("normalizer")};
  check_shape(document, claim, input.shape);
  check_range(document, "logits", input.logits, domain.logit);
  input.temperature = document.number("temperature");
  check_range(document, "temperature", {input.temperature}, domain.temperature);
  if (domain.step) {
    input.epsilon = document.number("epsilon");
    check_range(document, "epsilon", {input.epsilon}, domain.epsilon);
    input.direction = document.numbers("direction");
    check_size(document, "direction", input.direction.size(), input.shape.length);
    check_range(document, "direction", input.direction, {-1.0, 1.0});
  }
  if (domain.vectors) {
    input.vectors = document.numbers("vectors");
    const std::size_t tokens = input.vectors.size() / input.shape.dim;  // the product could overflow
    if (tokens != input.shape.length || input.vectors.size() % input.shape.dim != 0) {
      document.fail(fmt::format("{} numbers are not {} vectors of dimension {}", input.vectors.size(),
                                input.shape.length, input.shape.dim),
                    "vectors", "the sizes follow from logits and dim");
    }
    check_range(document, "vectors", input.vectors, {-1.0, 1.0});
  }
  read.observed = document.number("observed");
  read.bound = document.number("bound");
  return read;
}

int replay_counterexample(const std::filesystem::path& file) {
  const Counterexample read = read_counterexample(file);
  const verify::Outcome outcome = read.claim->evaluate_exactly(read.input);
  const bool agrees = same(outcome.observed, read.observed) && same(outcome.bound, read.bound);
  const std::string verdict =
      fmt::format("{}{}", outcome.violated() ? "violated" : "not violated: the claim holds here",
                  agrees ? ", as the file says" : ", but not by the numbers of the file");
  print_data(
      fmt::format("claim     {}\nstatement {}\nobserved  {} ({})\nbound     {} ({})\nmargin    {}\nverdict   {}\n",
                  read.claim->id(), read.claim->text().statement, outcome.observed, exact(outcome.observed),
                  outcome.bound, exact(outcome.bound), outcome.excess, verdict));
  return agrees ? exit_done : exit_unexpected;
}

}  // namespace headroom::app
