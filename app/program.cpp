#include "app/program.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <optional>

#include "app/commands/commands.hpp"
#include "app/interrupt.hpp"
#include "app/version.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"

namespace headroom::app {
namespace {

void set_up_messages() {
  auto logger = std::make_shared<spdlog::logger>("headroom", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("headroom: %v");
  spdlog::set_default_logger(std::move(logger));
}

const CLI::App& chosen_command(const CLI::App& program) {
  const auto chosen = program.get_subcommands();
  return chosen.empty() ? program : *chosen.front();
}

// The name the user most likely meant, among the options of the command (for what begins with a dash) or the commands.
std::string suggestion(const CLI::App& program, const std::string& argument) {
  std::vector<std::string> candidates;
  if (argument.starts_with("-")) {
    for (const CLI::Option* option : chosen_command(program).get_options()) {
      for (const std::string& name : option->get_lnames()) candidates.push_back("--" + name);
      for (const std::string& name : option->get_snames()) candidates.push_back("-" + name);
    }
    const std::string found = nearest(argument.substr(0, argument.find('=')), candidates);
    return found.empty() ? "" : "did you mean " + found + "?";
  }
  if (program.get_subcommands().empty()) {
    for (const CLI::App* command : program.get_subcommands({})) candidates.push_back(command->get_name());
    return "did you mean " + nearest(argument, candidates) + "?";
  }
  return "it stands where no argument is expected";
}

// CLI11's own text, or, for what it did not expect, the nearest right name.
std::string parse_problem(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<std::string> left = program.remaining(true);
  const bool unexpected = error.get_name() == "ExtrasError" || error.get_name() == "RequiredError";
  if (unexpected && !left.empty()) {
    // What follows a misspelt option is left over too: the option is the thing to name.
    const auto option = std::find_if(left.begin(), left.end(), [](const std::string& a) { return a.starts_with("-"); });
    const std::string& culprit = option == left.end() ? left.front() : *option;
    const std::string kind = option == left.end() ? "unexpected argument " : "unknown option ";
    return kind + culprit + " (" + suggestion(program, culprit) + ")";
  }
  return error.what();
}

int fail(ExitStatus status, const std::string& message) {
  spdlog::error("{}", message);
  return status;
}

}  // namespace

int run_program(const std::vector<std::string>& arguments) {
  set_up_messages();
  watch_interrupts();
  CLI::App program{"How much an attention head can still distinguish."};
  program.name("headroom");
  program.require_subcommand(1);
  program.set_version_flag("--version", "headroom " + std::string(version()));
  Action action;
  add_commands(program, action);
  try {
    program.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Success& request) {
    return program.exit(request);
  } catch (const CLI::ParseError& error) {
    const std::string command = chosen_command(program).get_name();
    const std::string help = command == "headroom" ? "headroom --help" : "headroom " + command + " --help";
    return fail(exit_usage, parse_problem(program, error) + "; see " + help);
  }
  try {
    return action();
  } catch (const Interrupted& stop) {
    return fail(exit_interrupted, stop.what());
  } catch (const Error& error) {
    return fail(error.fault() == Fault::usage ? exit_usage : exit_input, error.what());
  } catch (const std::bad_alloc&) {
    return fail(exit_input, "memory ran out (use a shorter length, fewer heads or a larger machine)");
  }
}

}  // namespace headroom::app
