#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "app/reproduce/grids.hpp"
#include "core/head.hpp"
#include "theory/resolution_law.hpp"
#include "verify/measure.hpp"
#include "verify/sensitivity.hpp"

namespace headroom::app {

/// What is kept of a head once its attention matrix is gone: means at every length of the grid, and its sensitivity.
struct HeadRecord {
  std::size_t layer = 0;
  std::size_t head = 0;
  std::vector<std::vector<verify::TopMeans>> at_length;  ///< per length of the grid, in the plan's order of N
  verify::Sensitivity sensitivity;                       ///< empty when Figure 4 was not asked
};

/// Measures heads for the figures chosen. Immutable; heads go through one after the other, each in parallel over its
/// rows.
class HeadRecorder {
 public:
  /// @param dim d of the vectors
  HeadRecorder(const Grids& grids, const FigureChoice& choice, std::size_t dim, verify::Precision precision);

  [[nodiscard]] const verify::Plan& plan() const { return plan_; }

  /// What the vectors of a head must be prepared with, for `rows` rows that share them.
  [[nodiscard]] verify::Embeddings::Options embedding_options(std::size_t rows, std::size_t tokens, std::size_t dim,
                                                              bool normalize) const;

  /// @param temperature T = 1/scale, of the reported Jacobian norm
  /// @param lengths the lengths whose rows are prefixes of this head's; of a causal head all of the grid
  [[nodiscard]] HeadRecord record(const Visibility& visibility, const verify::StripSource& strips,
                                  const verify::Embeddings& embeddings, std::size_t layer, std::size_t index,
                                  double temperature, std::span<const std::size_t> lengths,
                                  verify::MeasureMemory& memory) const;

  /// Absolute error allowed to a head's mean of the law. It is taken on every row: in single precision on merged
  /// weights (BinnedLaw) from `BinnedLaw::least_dim` dimensions on, else adaptively with this tolerance for each
  /// integral.
  static constexpr double law_tolerance = 5e-3;

 private:
  Grids grids_;
  FigureChoice choice_;
  verify::Plan plan_;
  verify::Precision precision_;
  std::optional<theory::ResolutionLaw> law_;
  std::optional<verify::BinnedLaw> binned_law_;
};

}  // namespace headroom::app
