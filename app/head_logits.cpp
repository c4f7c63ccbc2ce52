#include "app/head_logits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"

namespace headroom::app {

void HeadLogits::load(const model::Activations& activations, std::size_t layer, std::size_t head) {
  tokens_ = activations.tokens();
  visibility_ = activations.visibility(layer);
  const std::size_t queries = visibility_.queries();
  for (std::size_t query = 0; query < queries; ++query) {
    if (visibility_.count(query) > 0) continue;
    throw_input("the query sees no token", fmt::format("layer {}, head {}, query {}", layer, head, query),
                "leave out the padding, or a normalizer has nothing to give weight to");
  }
  data_.resize(queries * tokens_);
  const double scale = activations.scale(layer);
  const bool has_bias = activations.has_bias(layer);
  constexpr std::size_t height = 32;
#pragma omp parallel
  {
    std::vector<double> logits(height * tokens_);
    std::vector<double> bias(has_bias ? height * tokens_ : 0);
#pragma omp for schedule(dynamic)
    for (std::ptrdiff_t strip = 0; strip < static_cast<std::ptrdiff_t>((queries + height - 1) / height); ++strip) {
      const std::size_t first = static_cast<std::size_t>(strip) * height;
      const std::size_t count = std::min(height, queries - first);
      activations.logits(layer, head, first, {logits.data(), count, tokens_});
      if (has_bias) activations.bias(layer, head, first, {bias.data(), count, tokens_});
      for (std::size_t r = 0; r < count; ++r) {
        const Visibility::Range range = visibility_.range(first + r);
        const bool holes = !visibility_.contiguous(first + r);
        float* row = data_.data() + (first + r) * tokens_;
        for (std::size_t i = range.begin; i < range.end; ++i) {
          const double added = has_bias ? bias[r * tokens_ + i] : 0;
          row[i] = static_cast<float>(scale * logits[r * tokens_ + i] + added);
          if (holes && !visibility_.visible(first + r, i)) row[i] = -std::numeric_limits<float>::infinity();
        }
      }
    }
  }
}

}  // namespace headroom::app
