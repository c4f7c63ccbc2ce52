// Normalizers, samplers and Jacobian norms beside what people use for them, in one run: answers compared first, sides
// in random order. `scripts/bench` makes the table of docs/performance.md from this.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/normalizer_subjects.hpp"
#include "sim/random.hpp"
#include "sim/vector_target.hpp"

namespace headroom::bench {

void require_same_weights(const std::string& side, const PageArray<float>& weights, const PageArray<float>& ours,
                          double tolerance) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const float weight = weights.data()[i];
    const float expected = ours.data()[i];
    if (!(std::abs(static_cast<double>(weight) - static_cast<double>(expected)) <= tolerance)) {
      throw std::runtime_error(fmt::format("{}: weight {} is {} instead of {}", side, i, weight, expected));
    }
  }
}

PageArray<float> gaussian_logits(std::size_t count) {
  PageArray<float> logits(count);
  sim::Stream(1, 1, 0).normals({logits.data(), count});
  for (std::size_t i = 0; i < count; ++i) logits.data()[i] *= 2;
  return logits;
}

}  // namespace headroom::bench

int main(int argc, char* argv[]) {
  headroom::sim::use_vector_target_of_environment();
  return headroom::bench::run_benchmarks(argc, argv, [] {
    using namespace headroom::bench;  // NOLINT(google-build-using-namespace)
    benchmark::AddCustomContext("vector_target", headroom::sim::vector_target());
    add_softmax();
    add_simplex();
    add_random();
    add_jacobian();
  });
}
