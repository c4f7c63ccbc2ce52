#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "app/json.hpp"
#include "app/verify/counterexample.hpp"
#include "app/verify/report.hpp"

namespace headroom::app {
namespace {

Json json_of(const verify::Parameters& parameters) {
  Json json = Json::object();
  for (const auto& [name, value] : parameters) {
    if (const double* number = std::get_if<double>(&value)) {
      // Lengths and counts read as what they are.
      const bool whole = *number == std::floor(*number) && std::abs(*number) < 1e15;
      json[name] = whole ? Json(static_cast<std::int64_t>(*number)) : json_number(*number);
    } else {
      json[name] = std::get<std::string>(value);
    }
  }
  return json;
}

Json json_of(const verify::Tightness& tightness) {
  return {
      {"q50", json_number(tightness.q50)}, {"q95", json_number(tightness.q95)}, {"max", json_number(tightness.max)}};
}

Json json_of(const verify::Moments& moments) {
  return {{"mean", json_number(moments.mean)}, {"se", json_number(moments.standard_error())}};
}

// Every double as a hexadecimal float, so that reading it back gives the same bits.
Json exact_numbers(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(fmt::format("{:a}", value));
  return json;
}

Json json_of(const verify::PointInput& input) {
  Json json = {{"length", input.shape.length}, {"normalizer", input.shape.normalizer}};
  if (input.shape.dim > 0) json["dim"] = input.shape.dim;
  if (input.shape.top > 0) json["top"] = input.shape.top;
  json["temperature"] = fmt::format("{:a}", input.temperature);
  json["logits"] = exact_numbers(input.logits);
  if (!input.direction.empty()) {
    json["epsilon"] = fmt::format("{:a}", input.epsilon);
    json["direction"] = exact_numbers(input.direction);
  }
  if (!input.vectors.empty()) json["vectors"] = exact_numbers(input.vectors);
  return json;
}

Json json_of(const verify::FitRecord& fit) {
  Json json = {{"parameters", json_of(fit.parameters)},
               {"quantity", fit.quantity},
               {"estimate", json_number(fit.estimate)},
               {"interval", {json_number(fit.interval.lower), json_number(fit.interval.upper)}}};
  if (fit.stated) {
    json["stated"] = *fit.stated;
    json["p_value"] = fit.hypothesis.p_value;
  }
  return json;
}

Json claim_json(const VerifyReport& report, std::size_t k) {
  const verify::ClaimResult& result = report.run.results[k];
  const verify::Decision& decision = report.decisions[k];
  Json json = {{"id", result.id},
               {"verdict", name(decision.verdict)},
               {"expected", name(report.expected_of(k))},
               {"kind", kind_name(report.claims[k]->text().kind)},
               {"reason", decision.reason},
               {"trials", result.trials}};
  if (result.violations) json["violations"] = *result.violations;
  if (decision.violation_limit) json["violation_limit"] = *decision.violation_limit;
  if (decision.p_value) json["p_value"] = *decision.p_value;
  if (result.tightness) json["tightness"] = json_of(*result.tightness);
  if (result.worst) {
    json["worst"] = {{"parameters", json_of(result.worst->parameters)},
                     {"test", result.worst->test},
                     {"observed", json_number(result.worst->observed)},
                     {"bound", json_number(result.worst->bound)}};
    if (result.worst_input) json["worst"]["file"] = worst_case_name(result.id, result.counterexample.has_value());
    if (result.counterexample) json["worst"]["smallest"] = counterexample_name(result.id);
  }
  if (!result.fits.empty()) {
    Json fits = Json::array();
    for (const verify::FitRecord& fit : result.fits) fits.push_back(json_of(fit));
    json["fits"] = fits;
  }
  if (!result.measured.empty()) {
    Json measured = Json::object();
    for (const auto& [what, value] : result.measured) measured[what] = json_number(value);
    json["measured"] = measured;
  }
  if (result.counterexample) json["counterexample"] = json_of(*result.counterexample);
  return json;
}

}  // namespace

std::string_view kind_name(verify::Kind kind) {
  switch (kind) {
    case verify::Kind::pointwise:
      return "pointwise";
    case verify::Kind::expectation:
      return "expectation";
    case verify::Kind::asymptotic:
      return "asymptotic";
    case verify::Kind::measurement:
      break;
  }
  return "measurement";
}

std::string verdicts_json(const VerifyReport& report) {
  Json claims = Json::array();
  for (std::size_t k = 0; k < report.run.results.size(); ++k) claims.push_back(claim_json(report, k));
  const Json document = {{"schema", "headroom.verdicts/1"},
                         {"preset", report.preset},
                         {"seed", report.seed},
                         {"level", verify::family_level},
                         {"hypotheses", report.run.hypotheses},
                         {"complete", !report.run.interrupted},
                         {"claims", claims}};
  return document.dump(1) + "\n";
}

std::string cell_json(const verify::CellRecord& record) {
  Json json = {{"claim", record.claim}, {"parameters", json_of(record.parameters)}, {"trials", record.trials}};
  if (record.violations) json["violations"] = *record.violations;
  if (record.tightness) json["tightness"] = json_of(*record.tightness);
  Json tests = Json::array();
  for (const verify::TestedMean& test : record.tests) {
    Json one = {{"name", test.hypothesis.name},
                {"observed", json_of(test.observed)},
                {"bound", json_of(test.bound)},
                {"excess", json_of(test.excess)},
                {"p_value", test.hypothesis.p_value}};
    if (test.hypothesis.power) one["power"] = *test.hypothesis.power;
    if (test.trivial) one["trivial"] = true;
    tests.push_back(one);
  }
  if (!tests.empty()) json["tests"] = tests;
  Json measured = Json::object();
  for (const auto& [what, moments] : record.measured) measured[what] = json_of(moments);
  if (!measured.empty()) json["measured"] = measured;
  return json.dump() + "\n";
}

}  // namespace headroom::app
