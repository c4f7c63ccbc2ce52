// How near the hot loops come to what this machine can do. Every benchmark checks its answer first and reports
// operations and bytes per second and the fraction of the binding rate, which its label names; the rates, measured in
// the same run, stand in the context. `scripts/bench` makes the table of docs/performance.md from this.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/machine.hpp"
#include "bench/subjects.hpp"

namespace headroom::bench {
namespace {

void show_machine() {
  for (int threads = 1; threads <= Machine::most_threads; ++threads) {
    for (std::size_t k = 0; k < limit_count; ++k) {
      const auto limit = static_cast<Limit>(k);
      benchmark::AddCustomContext(fmt::format("{}/threads:{}", name(limit), threads),
                                  fmt::format("{:.4g}", Machine::here().rate(limit, threads)));
    }
  }
}

}  // namespace
}  // namespace headroom::bench

int main(int argc, char* argv[]) {
  using namespace headroom::bench;  // NOLINT(google-build-using-namespace)
  // Repetitions of all benchmarks in random order: what else the machine does meets all of them alike. Options given
  // come later and win.
  std::string interleaved = "--benchmark_enable_random_interleaving=true";
  std::string repeated = "--benchmark_repetitions=7";
  std::vector<char*> arguments = {argv[0], interleaved.data(), repeated.data()};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  add_row_pass();
  add_law();
  add_sensitivity();
  add_secular();
  add_ks();
  add_tokenizer();
#ifdef HEADROOM_WITH_ONNX
  add_model();
#endif
  show_machine();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
