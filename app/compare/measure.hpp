#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/compare/match.hpp"
#include "app/head_vectors.hpp"
#include "model/activations.hpp"
#include "verify/measure.hpp"

namespace headroom::app {

struct CompareOptions {
  std::vector<std::string> normalizers;  ///< canonical specs
  std::vector<std::size_t> tops;         ///< N, ascending
  std::vector<std::size_t> lengths;      ///< L, ascending; the last is the number of tokens
  Match match = Match::none;
  double temperature = 1;  ///< on top of the heads' own scale, where none is fitted
  VectorKind vectors = VectorKind::embedding;
  bool normalize = true;
};

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

/// Fits, then measures every head of one forward pass under every normalizer, in single precision. Heads come in order,
/// a head's normalizers in theirs. Throws Error(input) before anything is measured when a match is out of reach, naming
/// the first heads of all that are; for a query without a token; and for missing vectors. Interrupted after Ctrl-C.
/// @param head_done called after every head that is fitted, and again after every head that is measured
[[nodiscard]] std::vector<HeadComparison> compare_heads(const model::Activations& activations,
                                                        const CompareOptions& options,
                                                        const std::function<void()>& head_done);

}  // namespace headroom::app
