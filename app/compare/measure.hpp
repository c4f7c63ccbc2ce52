#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "app/compare/fit_heads.hpp"
#include "app/compare/options.hpp"
#include "model/activations.hpp"
#include "verify/measure.hpp"

namespace headroom::app {

/// Means over the first L queries of one head under one normalizer. NaN where a quantity is not defined.
struct LengthMeans {
  std::vector<verify::TopMeans> tops;  ///< empty where weights can be negative
  double entropy = 0;
  double max_weight = 0;
  double zeros = 0;
  double jacobian_mean = 0;
  double jacobian_worst = 0;
  double output_change = 0;
};

/// The mean of what is matched, which fit_temperature brings to its target when L is all queries; not for Match::none.
[[nodiscard]] inline double matched_value(const LengthMeans& at, Match match) {
  return match == Match::entropy ? at.entropy : at.max_weight;
}

/// One head under one normalizer.
struct HeadComparison {
  std::size_t layer = 0;
  std::size_t head = 0;
  std::size_t normalizer = 0;  ///< index in the options
  double temperature = 1;      ///< on top of the head's own scale
  std::optional<double> effective_scale;
  std::optional<double> target;  ///< what the temperature was fitted to give; nothing where none is
  std::vector<LengthMeans> at_length;
};

/// Measures every head of one forward pass under every normalizer at its fitted temperature, in single precision.
/// Heads come in order, a head's normalizers in theirs. Throws Error(input) for a query without a token and for missing
/// vectors. Interrupted after Ctrl-C.
/// @param fits of all heads, in order
[[nodiscard]] std::vector<HeadComparison> measure_heads(const model::Activations& activations,
                                                        const CompareOptions& options, std::span<const HeadFits> fits,
                                                        const std::function<void()>& head_done);

/// fit_heads, require_reached and measure_heads.
[[nodiscard]] std::vector<HeadComparison> compare_heads(const model::Activations& activations,
                                                        const CompareOptions& options);

}  // namespace headroom::app
