#include "app/verify/counterexample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>
#include <vector>

#include "app/json.hpp"
#include "app/output.hpp"
#include "app/program.hpp"
#include "app/standard_output.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "verify/claims/registry.hpp"

namespace headroom::app {
namespace {

constexpr const char* schema = "headroom.counterexample/1";

std::string exact(double value) { return fmt::format("{:a}", value); }

Json exact(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(exact(value));
  return json;
}

// A counterexample file as it is read: every failure names the file and the key.
class Document {
 public:
  explicit Document(const std::filesystem::path& file) : file_(file.string()) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw_input("cannot read the file", file_, "name a file that verify wrote under counterexamples/");
    json_ = Json::parse(stream, nullptr, false);
    if (json_.is_discarded() || !json_.is_object()) fail("no JSON object", "", "the file may be cut off");
    if (text("schema") != schema) fail("unknown schema", "schema", fmt::format("this program reads {}", schema));
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& key, const std::string& remedy) const {
    throw_input(problem, key.empty() ? file_ : file_ + ", " + key, remedy);
  }

  [[nodiscard]] std::string text(const std::string& key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_string()) fail("missing, or no text", key, "give it as a string");
    return found->get<std::string>();
  }

  [[nodiscard]] std::size_t count(const std::string& key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) return 0;
    if (!found->is_number_unsigned()) fail("not a whole number", key, "give it as 0, 1, 2 and so on");
    return found->get<std::size_t>();
  }

  [[nodiscard]] double number(const std::string& key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) fail("missing", key, "give it as a hexadecimal float, e.g. \"0x1p-1\"");
    return number_of(*found, key);
  }

  [[nodiscard]] std::vector<double> numbers(const std::string& key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_array()) fail("missing, or no list", key, "give a list of numbers");
    std::vector<double> values;
    for (const Json& element : *found) values.push_back(number_of(element, fmt::format("{}[{}]", key, values.size())));
    return values;
  }

 private:
  [[nodiscard]] double number_of(const Json& json, const std::string& key) const {
    const std::string whole = json.is_string() ? json.get<std::string>() : "";
    std::string_view digits = whole;
    const bool negative = digits.starts_with('-');
    if (negative) digits.remove_prefix(1);
    const bool hexadecimal = digits.starts_with("0x");
    if (hexadecimal) digits.remove_prefix(2);
    double value = 0.0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::hex);
    if (!hexadecimal || digits.starts_with('-') || error != std::errc{} || end != digits.data() + digits.size() ||
        !std::isfinite(value)) {
      fail("not a finite hexadecimal float", key, "write numbers as \"0x1.8p-1\"");
    }
    return negative ? -value : value;
  }

  std::string file_;
  Json json_;
};

const verify::PointwiseClaim& claim_of(const Document& document) {
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

void check_range(const Document& document, const std::string& key, const std::vector<double>& values,
                 verify::Range range) {
  const auto outside =
      std::ranges::find_if(values, [&](double value) { return !(range.lower <= value && value <= range.upper); });
  if (outside == values.end()) return;
  // In a list the index of the element at fault.
  document.fail(fmt::format("{} is outside of what the claim is tested on", *outside),
                fmt::format("{}[{}]", key, outside - values.begin()),
                fmt::format("stay within {} to {}", range.lower, range.upper));
}

void check_size(const Document& document, const std::string& key, std::size_t size, std::size_t expected) {
  if (size == expected) return;
  document.fail(fmt::format("{} numbers where {} belong", size, expected), key, "the sizes follow from logits and dim");
}

void check_shape(const Document& document, const verify::PointwiseClaim& claim, const verify::Shape& shape) {
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

std::string worst_case_name(const std::string& claim) { return "counterexamples/" + claim + ".worst.json"; }

std::string counterexample_json(const verify::PointwiseClaim& claim, const verify::PointInput& input) {
  const verify::Outcome outcome = claim.evaluate_exactly(input);
  Json json = {{"schema", schema},
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

void write_counterexamples(const VerifyReport& report, const std::filesystem::path& folder) {
  for (std::size_t k = 0; k < report.run.results.size(); ++k) {
    const verify::ClaimResult& result = report.run.results[k];
    const auto* claim = dynamic_cast<const verify::PointwiseClaim*>(report.claims[k]);
    if (claim == nullptr || !result.counterexample || !result.worst_input) continue;
    create_output_folder(folder / "counterexamples");
    write_file(folder / counterexample_name(claim->id()), counterexample_json(*claim, *result.counterexample));
    write_file(folder / worst_case_name(claim->id()), counterexample_json(*claim, *result.worst_input));
  }
}

Counterexample read_counterexample(const std::filesystem::path& file) {
  const Document document(file);
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
    check_size(document, "vectors", input.vectors.size(), input.shape.length * input.shape.dim);
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
  const bool reproduces = outcome.violated() && agrees;
  const char* verdict = !outcome.violated() ? "not violated: the claim holds here"
                        : agrees            ? "violated, as the file says"
                                            : "violated, but not by the numbers of the file";
  print_data(
      fmt::format("claim     {}\nstatement {}\nobserved  {} ({})\nbound     {} ({})\nmargin    {}\nverdict   {}\n",
                  read.claim->id(), read.claim->text().statement, outcome.observed, exact(outcome.observed),
                  outcome.bound, exact(outcome.bound), outcome.excess, verdict));
  return reproduces ? exit_done : exit_unexpected;
}

}  // namespace headroom::app
