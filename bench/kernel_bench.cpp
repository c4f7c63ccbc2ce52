// How near the hot loops come to what this machine can do. Every benchmark checks its answer first and reports
// operations and bytes per second and the fraction of the binding rate, which its label names; the rates, measured in
// the same run, stand in the context. `scripts/bench` makes the table of docs/performance.md from this.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "app/heap.hpp"
#include "bench/machine.hpp"
#include "bench/subjects.hpp"
#include "bench/work.hpp"

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
  headroom::app::prepare_heap();  // as headroom itself does
  return headroom::bench::run_benchmarks(argc, argv, [] {
    using namespace headroom::bench;  // NOLINT(google-build-using-namespace)
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
  });
}
