#include "app/commands/commands.hpp"

namespace headroom::app {

void add_commands(CLI::App& program, Action& action) {
  add_measure(program, action);
  add_simulate(program, action);
  add_predict(program, action);
  add_frontier(program, action);
  add_verify(program, action);
  add_report(program, action);
  add_sweep(program, action);
  add_results(program, action);
  add_list(program, action);
#ifdef HEADROOM_WITH_ONNX
  add_inspect(program, action);
  add_reproduce(program, action);
  add_diagnose(program, action);
  add_compare(program, action);
#endif
}

}  // namespace headroom::app
