#include "bench/causal_head.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/random.hpp"

namespace headroom::bench {

CausalHead::CausalHead(std::size_t token_count, std::size_t dimension)
    : tokens(token_count), dim(dimension), logits(tokens * tokens), weights(tokens * tokens), vectors(tokens * dim) {
  sim::Stream stream(1, 1, 1);
  sim::fill_sphere(stream, {vectors.data(), tokens, dim});
  for (std::size_t r = 0; r < tokens; ++r) {
    double* const logit = logits.data() + r * tokens;
    double* const weight = weights.data() + r * tokens;
    stream.normals({logit, r + 1});
    double sum = 0;
    for (std::size_t i = 0; i <= r; ++i) sum += weight[i] = std::exp(logit[i]);
    for (std::size_t i = 0; i <= r; ++i) weight[i] /= sum;
  }
}

std::vector<double> CausalHead::decreasing(std::size_t row) const {
  const auto first = weights.begin() + static_cast<std::ptrdiff_t>(row * tokens);
  std::vector<double> sorted(first, first + static_cast<std::ptrdiff_t>(row + 1));
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  return sorted;
}

}  // namespace headroom::bench
