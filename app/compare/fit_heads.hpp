#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "app/compare/options.hpp"
#include "model/activations.hpp"

namespace headroom::app {

/// The fits of one head, one per normalizer of the options.
struct HeadFits {
  std::size_t layer = 0;
  std::size_t head = 0;
  std::vector<Fit> of;
};

/// Fits every normalizer to the softmax of every head, heads in order. Where nothing is matched all have the options'
/// temperature. Throws Error(input) for a query without a token; Interrupted after Ctrl-C.
[[nodiscard]] std::vector<HeadFits> fit_heads(const model::Activations& activations, const CompareOptions& options,
                                              const std::function<void()>& head_done);

/// Throws Error(input) when a match is out of reach, naming the first heads of all that are.
void require_reached(std::span<const HeadFits> fits, const CompareOptions& options);

}  // namespace headroom::app
