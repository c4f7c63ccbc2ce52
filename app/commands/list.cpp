#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/json.hpp"
#include "app/program.hpp"
#include "app/standard_output.hpp"
#include "app/verify/claims_text.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "sim/logits.hpp"
#include "sim/normalizer.hpp"
#include "sim/vector_target.hpp"
#include "verify/cell.hpp"

namespace headroom::app {
namespace {

std::string text_of(std::span<const sim::EntryInfo> entries) {
  std::string text;
  for (const sim::EntryInfo& entry : entries) {
    text += fmt::format("{}{}\n    {}\n", entry.id, entry.takes_path ? ":PATH" : "", entry.formula);
    if (!entry.takes_path) {
      for (const sim::KeyInfo& key : entry.keys) {
        text += fmt::format("    {}={}: {}\n", key.name, key.default_value, key.meaning);
      }
    }
    text += fmt::format("    {}\n", entry.source);
  }
  return text;
}

std::string json_of(const std::string& what, std::span<const sim::EntryInfo> entries) {
  Json list = Json::array();
  for (const sim::EntryInfo& entry : entries) {
    Json keys = Json::array();
    for (const sim::KeyInfo& key : entry.keys) {
      keys.push_back({{"name", key.name}, {"default", key.default_value}, {"meaning", key.meaning}});
    }
    list.push_back({{"id", entry.id}, {"keys", keys}, {"formula", entry.formula}, {"source", entry.source}});
  }
  return Json{{"schema", "headroom.list/1"}, {what, list}}.dump(1) + "\n";
}

std::string targets_text(bool json) {
  if (json) return Json{{"schema", "headroom.list/1"}, {"targets", sim::vector_targets()}}.dump(1) + "\n";
  std::string text;
  for (const std::string& name : sim::vector_targets()) {
    text += name + (name == sim::vector_target() ? " (in use)" : "") + "\n";
  }
  return text;
}

std::vector<sim::EntryInfo> copy(std::span<const sim::EntryInfo> list) { return {list.begin(), list.end()}; }

int list(const std::string& what, bool json, bool markdown) {
  const std::vector<std::string> known = {"claims", "normalizers", "samplers", "logits", "targets"};
  if (markdown && what != "claims") throw_usage("only claims come as Markdown", "--markdown", "leave it out");
  if (what == "claims") {
    print_data(markdown ? claims_markdown() : json ? claims_json() : claims_text());
    return exit_done;
  }
  if (what == "targets") {
    print_data(targets_text(json));
    return exit_done;
  }
  std::vector<sim::EntryInfo> entries;
  if (what == "normalizers") {
    entries = copy(sim::normalizer_list());
  } else if (what == "samplers") {
    entries = verify::cell_samplers();
  } else if (what == "logits") {
    entries = copy(sim::logit_model_list());
  } else {
    throw_usage(fmt::format("there is no list of '{}'", what), "list", "did you mean " + nearest(what, known) + "?");
  }
  print_data(json ? json_of(what, entries) : text_of(entries));
  return exit_done;
}

}  // namespace

void add_list(CLI::App& program, Action& action) {
  auto what = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto markdown = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand("list", "What there is, with keys, defaults and sources");
  command
      ->add_option("what", *what,
                   "claims, normalizers, samplers, logits, or the vector targets HEADROOM_TARGET can force")
      ->required();
  command->add_flag("--json", *json, "machine-readable output");
  command->add_flag("--markdown", *markdown, "docs/claims.md");
  command->callback([=, &action] { action = [=] { return list(*what, *json, *markdown); }; });
}

}  // namespace headroom::app
