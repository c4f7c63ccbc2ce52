#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace headroom::app {

/// What the chosen command does once the command line is parsed; returns the exit status.
using Action = std::function<int()>;

/// Adds every command to the program; parsing sets `action`.
void add_commands(CLI::App& program, Action& action);

void add_measure(CLI::App& program, Action& action);
void add_simulate(CLI::App& program, Action& action);
void add_predict(CLI::App& program, Action& action);
void add_frontier(CLI::App& program, Action& action);
void add_verify(CLI::App& program, Action& action);
void add_report(CLI::App& program, Action& action);
void add_sweep(CLI::App& program, Action& action);
void add_results(CLI::App& program, Action& action);
void add_list(CLI::App& program, Action& action);
void add_inspect(CLI::App& program, Action& action);
void add_reproduce(CLI::App& program, Action& action);
void add_diagnose(CLI::App& program, Action& action);
void add_compare(CLI::App& program, Action& action);

}  // namespace headroom::app
