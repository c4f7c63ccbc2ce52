#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/command_folder.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/number_check.hpp"
#include "app/interrupt.hpp"
#include "app/output.hpp"
#include "app/program.hpp"
#include "app/progress.hpp"
#include "app/run_record.hpp"
#include "app/standard_output.hpp"
#include "app/verify/counterexample.hpp"
#include "app/verify/report.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "verify/attack/claim_attack.hpp"
#include "verify/claims/registry.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* run_schema = "headroom.run/1";

struct VerifyOptions {
  std::vector<std::string> claims;
  std::string preset = "quick";
  std::string junit;
  std::uint64_t seed = 1;
  std::string output;
  std::string replay;
};

verify::Preset preset_named(const std::string& name) {
  const std::vector<std::string> names = {"quick", "paper", "full"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == name) return static_cast<verify::Preset>(k);
  }
  throw_usage("unknown preset \"" + name + "\"", "--preset", "did you mean " + nearest(name, names) + "?");
}

// The terminal's width; a file gets lines of any length.
std::size_t line_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0) return 1000;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 80;
}

bool use_colour() { return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

void write_record(const VerifyReport& report, const fs::path& folder) {
  RunRecord record(run_schema);
  record.set("preset", report.preset);
  record.set("seed", report.seed);
  for (std::size_t k = 0; k < report.run.results.size(); ++k) {
    record.seconds(report.run.results[k].id, report.run.seconds[k]);
  }
  record.write(folder / "run.json");
}

int verify_claims(const VerifyOptions& options) {
  if (options.output.empty()) {
    throw_usage("verify needs a folder for its results", "--output", "give one with -o DIR, or a file with --replay");
  }
  VerifyReport report;
  report.preset = options.preset;
  report.seed = options.seed;
  report.claims = verify::claims_named(options.claims);
  report.expected = read_expected(expected_file(), verify::claim_ids());
  verify::RunOptions run;
  run.preset = preset_named(options.preset);
  run.seed = options.seed;
  run.stop = interrupted;
  const verify::ClaimAttack attack;
  run.attack = &attack;
  const fs::path folder = options.output;
  create_command_folder(folder, run_schema);
  if (!options.junit.empty()) check_output_file(options.junit);

  std::string cells;
  run.finished_cell = [&](const verify::CellRecord& record) { cells += cell_json(record); };
  Progress progress("claims", report.claims.size());
  run.finished_claim = [&](std::size_t done) { progress.update(done); };
  report.run = run_claims(report.claims, run);

  write_file(folder / "cells.jsonl", cells);
  if (report.run.interrupted) {
    throw Interrupted(fmt::format("{} of {} claims were done; the finished cells are in {}", report.run.results.size(),
                                  report.claims.size(), (folder / "cells.jsonl").string()));
  }
  std::vector<verify::Kind> kinds;
  for (const verify::Claim* claim : report.claims) kinds.push_back(claim->text().kind);
  report.decisions = decide(kinds, report.run.results);
  write_inputs(report, folder);
  write_file(folder / "verdicts.json", verdicts_json(report));
  write_record(report, folder);
  if (!options.junit.empty()) write_file(options.junit, junit_xml(report));
  print_data(verdict_table(report, line_width(), use_colour()));
  return report.all_as_expected() ? exit_done : exit_unexpected;
}

}  // namespace

void add_verify(CLI::App& program, Action& action) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = program.add_subcommand("verify", "Every claim, its verdict, against the expected verdicts");
  command->add_option("--claims", options->claims, "ids of list claims, e.g. cor3,law (default: all)")->delimiter(',');
  command->add_option("--preset", options->preset, "quick (seconds), paper (minutes) or full")->capture_default_str();
  command->add_option("--junit", options->junit, "also write JUnit XML to this file");
  command->add_option("--seed", options->seed, "of the random streams")->check(whole_number())->capture_default_str();
  command->add_option("-o,--output", options->output, "folder for verdicts.json, cells.jsonl and run.json");
  CLI::Option* replay = command->add_option("--replay", options->replay,
                                            "only evaluate the input of a file under counterexamples/ or worst/ again");
  for (CLI::Option* other : command->get_options()) {
    if (other != replay && other != command->get_help_ptr()) replay->excludes(other);
  }
  command->callback([options, replay, &action] {
    if (replay->count() > 0) {
      action = [options] { return replay_counterexample(options->replay); };
    } else {
      action = [options] { return verify_claims(*options); };
    }
  });
}

}  // namespace headroom::app
