#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/compare/row_statistics.hpp"
#include "app/head_logits.hpp"
#include "sim/row_normalizer.hpp"

namespace headroom::app {

/// The weights of a head, (queries × tokens), 0 wherever a query does not see.
struct HeadWeights {
  std::size_t tokens = 0;
  std::vector<float> data;

  [[nodiscard]] MatrixView<float> view() { return {data.data(), data.size() / tokens, tokens}; }
  [[nodiscard]] MatrixView<const float> view() const { return {data.data(), data.size() / tokens, tokens}; }
};

/// A normalizer to compare, put in the place of a head's own softmax.
class Candidate {
 public:
  explicit Candidate(const std::string& spec) : normalizer_(spec) {}

  [[nodiscard]] const std::string& name() const { return normalizer_.name(); }
  /// Whether weights can be negative: then nothing that takes them for shares is defined.
  [[nodiscard]] bool signed_weights() const { return !normalizer_.reference().nonnegative(); }

  /// The key that multiplies the logits, divided by T: what a fitted temperature means for `ssmax` (s) and `logn` (κ).
  [[nodiscard]] std::optional<double> effective_scale(double temperature) const;

  void weights(const HeadLogits& logits, double temperature, HeadWeights& weights) const;

  /// ‖J‖₂ of every query, J = ∂weights/∂(scale·q·k).
  [[nodiscard]] std::vector<double> jacobian_norms(const HeadLogits& logits, const HeadWeights& weights,
                                                   double temperature) const;

 private:
  sim::RowNormalizer<float> normalizer_;
};

/// Of every query, over the tokens it sees.
[[nodiscard]] std::vector<RowStatistics> statistics_of(const HeadWeights& weights, const Visibility& visibility);

}  // namespace headroom::app
