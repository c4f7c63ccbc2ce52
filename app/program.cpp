#include "app/program.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <new>

#include "app/commands/commands.hpp"
#include "app/interrupt.hpp"
#include "app/output_closed.hpp"
#include "app/version.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "sim/vector_target.hpp"

namespace headroom::app {
namespace {

void set_up_messages() {
  auto logger = std::make_shared<spdlog::logger>("headroom", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("headroom: %v");
  spdlog::set_default_logger(std::move(logger));
}

// The command that the first arguments name, as in "results export", and how many they are.
struct Chosen {
  const CLI::App* command;
  std::string name;
  std::size_t words = 0;
};

Chosen chosen_command(const CLI::App& program, const std::vector<std::string>& arguments) {
  Chosen chosen{&program, program.get_name()};
  for (bool found = true; found && chosen.words < arguments.size();) {
    found = false;
    for (const CLI::App* command : chosen.command->get_subcommands({})) {
      if (command->get_name() != arguments[chosen.words]) continue;
      chosen = {command, chosen.name + ' ' + command->get_name(), chosen.words + 1};
      found = true;
      break;
    }
  }
  return chosen;
}

// An option, and no negative number.
bool looks_like_option(const std::string& argument) {
  return argument.size() > 1 && argument[0] == '-' && (argument[1] == '-' || std::isalpha(argument[1]) != 0);
}

// What is wrong in the user's words: an unknown command or option with the nearest right name, else what CLI11 says.
std::string parse_problem(const CLI::App& program, const std::vector<std::string>& arguments,
                          const CLI::ParseError& error) {
  const Chosen chosen = chosen_command(program, arguments);
  std::vector<std::string> known;
  for (const CLI::App* candidate : chosen.command->get_subcommands({})) known.push_back(candidate->get_name());
  if (!known.empty() && chosen.words < arguments.size() && !looks_like_option(arguments[chosen.words])) {
    const std::string& word = arguments[chosen.words];
    return "unknown command " + word + " (did you mean " + nearest(word, known) + "?)";
  }
  known.clear();
  for (const CLI::Option* option : chosen.command->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& name : option->get_snames()) known.push_back("-" + name);
  }
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!looks_like_option(name) || std::find(known.begin(), known.end(), name) != known.end()) continue;
    return "unknown option " + name + " (did you mean " + nearest(name, known) + "?)";
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
    const std::string command = chosen_command(program, arguments).name;
    return fail(exit_usage, parse_problem(program, arguments, error) + "; see " + command + " --help");
  }
  try {
    sim::use_vector_target_of_environment();
    return action();
  } catch (const Interrupted& stop) {
    return fail(exit_interrupted, stop.what());
  } catch (const OutputClosed&) {
    return OutputClosed::status;
  } catch (const Error& error) {
    return fail(error.fault() == Fault::usage ? exit_usage : exit_input, error.what());
  } catch (const std::bad_alloc&) {
    return fail(exit_input, "memory ran out (use a shorter length, fewer heads or a larger machine)");
  } catch (const std::exception& error) {
    return fail(exit_input, std::string("something unforeseen: ") + error.what() + " (please report it)");
  }
}

}  // namespace headroom::app
