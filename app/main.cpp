#include <string>
#include <vector>

#include "app/heap.hpp"
#include "app/program.hpp"
#include "app/run_record.hpp"

int main(int argc, char* argv[]) {
  headroom::app::prepare_heap();
  headroom::app::RunRecord::command_line() = std::vector<std::string>(argv, argv + argc);
  return headroom::app::run_program(std::vector<std::string>(argv + 1, argv + argc));
}
