#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "app/json_member.hpp"
#include "app/report/sections.hpp"
#include "app/verify/counterexample.hpp"
#include "app/verify/report.hpp"
#include "core/error.hpp"
#include "sim/normalizer.hpp"
#include "verify/claims/registry.hpp"

namespace headroom::app {
namespace {

Json numbers_json(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(json_number(value));
  return json;
}

Json texts_json() {
  Json texts = Json::object();
  for (const verify::ClaimPointer& claim : verify::all_claims()) {
    const verify::ClaimText& about = claim->text();
    texts[about.id] = {{"kind", kind_name(about.kind)},
                       {"statement", about.statement},
                       {"source", about.source},
                       {"assumptions", about.assumptions}};
  }
  return texts;
}

// A page has room for so many numbers of an input; its vectors are the first to go.
constexpr std::size_t most_coordinates = 5000;

// An input in numbers, with the weights that its normalizer makes of the logits.
Json input_json(const Counterexample& example) {
  const verify::PointInput& input = example.input;
  std::vector<double> weights(input.logits.size());
  sim::make_normalizer(input.shape.normalizer)->weights(input.logits, input.temperature, weights);
  Json json = {{"normalizer", input.shape.normalizer},      {"temperature", json_number(input.temperature)},
               {"logits", numbers_json(input.logits)},      {"weights", numbers_json(weights)},
               {"observed", json_number(example.observed)}, {"bound", json_number(example.bound)}};
  if (input.shape.top > 0) json["top"] = input.shape.top;
  if (!input.direction.empty()) {
    json["epsilon"] = json_number(input.epsilon);
    json["direction"] = numbers_json(input.direction);
  }
  if (!input.vectors.empty()) {
    json["dim"] = input.shape.dim;
    if (input.vectors.size() <= most_coordinates) json["vectors"] = numbers_json(input.vectors);
  }
  return json;
}

// The files a claim names as its worst input and its smallest counterexample.
Json inputs_json(ResultFolder& folder, const Json& verdicts) {
  Json inputs = Json::object();
  for (const Json& claim : verdicts.value("claims", Json::array())) {
    if (!claim.is_object()) continue;
    const std::string id = text_member(claim, "id");
    const Json worst = claim.value("worst", Json::object());
    for (const char* role : {"file", "smallest"}) {
      const std::string file = text_member(worst, role);
      if (file.empty()) continue;
      try {
        inputs[id][role] = input_json(read_counterexample(folder.path() / file));
      } catch (const Error& error) {
        folder.miss(file, error.what());
      }
    }
  }
  return inputs;
}

// Lines of cells.jsonl; a last line that is cut off is what an interrupted run leaves.
Json cells_json(ResultFolder& folder, std::size_t budget) {
  Json cells = Json::array();
  if (!folder.has("cells.jsonl")) {
    folder.miss("cells.jsonl", "not there");
    return cells;
  }
  std::istringstream lines(file_content(folder.path() / "cells.jsonl"));
  std::size_t number = 0;
  std::size_t left_out = 0;
  std::size_t used = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    Json cell = Json::parse(line, nullptr, false);
    if (cell.is_discarded() || !cell.is_object()) {
      folder.miss(fmt::format("cells.jsonl, line {}", number), "no JSON object; it may be cut off");
      continue;
    }
    // A number takes some 18 bytes.
    used += line.size() / 18;
    if (used > budget) {
      ++left_out;
    } else {
      cells.push_back(std::move(cell));
    }
  }
  if (left_out > 0) {
    folder.note(
        fmt::format("cells.jsonl is too large for a page: its last {} of {} cells are left out", left_out, number));
  }
  return cells;
}

}  // namespace

Json verify_section(ResultFolder& folder, std::size_t cells) {
  Json section = {{"texts", texts_json()}};
  Json verdicts = folder.json("verdicts.json").value_or(Json::object());
  if (!verdicts.contains("claims") || !verdicts["claims"].is_array()) verdicts["claims"] = Json::array();
  section["inputs"] = inputs_json(folder, verdicts);
  section["verdicts"] = std::move(verdicts);
  section["cells"] = cells_json(folder, cells);
  return section;
}

}  // namespace headroom::app
