#pragma once

#include <cstddef>
#include <vector>

#include "core/head.hpp"

namespace headroom::bench {

/// A causal head with the weights of unit-variance Gaussian logits and uniform unit vectors; always the same for the
/// same sizes.
struct CausalHead {
  CausalHead(std::size_t token_count, std::size_t dimension);

  std::size_t tokens;
  std::size_t dim;
  std::vector<double> logits;
  std::vector<double> weights;
  std::vector<double> vectors;

  [[nodiscard]] HeadView view() const {
    return {{weights.data(), tokens, tokens},
            {logits.data(), tokens, tokens},
            {vectors.data(), tokens, dim},
            Visibility::causal(tokens, tokens)};
  }

  /// Number of (row, visible token): L(L+1)/2.
  [[nodiscard]] double pairs() const { return static_cast<double>(tokens * (tokens + 1)) / 2; }

  /// The weights of one row in decreasing order.
  [[nodiscard]] std::vector<double> decreasing(std::size_t row) const;
};

}  // namespace headroom::bench
