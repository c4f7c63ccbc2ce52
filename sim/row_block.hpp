#pragma once

#include <cstddef>

#include "core/visibility.hpp"
#include "sim/double_double.hpp"

namespace headroom::sim {

/// One row of a block: n logits, −∞ among them for masked tokens of weight 0, and room for n weights.
template <class Real>
struct LogitRow {
  const Real* logits = nullptr;
  Real* weights = nullptr;
  std::size_t n = 0;
  DoubleDouble scale = {1, 0};  ///< z = l·scale: the factor of a length-aware normalizer over the temperature, > 0
  DoubleDouble bias = {0, 0};   ///< added to z where the normalizer has one

  /// Whether z = l.
  [[nodiscard]] bool plain() const { return scale.hi == 1 && scale.lo == 0; }
};

/// Rows for a kernel, one below the other, all with one scale. Nothing outside of their ranges is read or written, and
/// the weights may be the logits' own memory.
///
/// A kernel returns how many rows it has done, in order. It stops before a row without a finite logit, which it leaves
/// as it is, and at one with a NaN or +∞, whose weights are then undefined but for a NaN where the first of those was.
template <class Real>
struct RowBlock {
  const Real* logits = nullptr;
  std::size_t logits_stride = 0;
  Real* weights = nullptr;
  std::size_t weights_stride = 0;
  const Visibility::Range* ranges = nullptr;  ///< the columns of every row
  std::size_t rows = 0;
  DoubleDouble scale = {1, 0};
  DoubleDouble bias = {0, 0};
  bool far = false;  ///< more than the nearer caches hold: what comes later is worth asking for in time

  [[nodiscard]] LogitRow<Real> row(std::size_t r) const {
    const Visibility::Range range = ranges[r];
    return {logits + r * logits_stride + range.begin, weights + r * weights_stride + range.begin, range.size(), scale,
            bias};
  }

  /// Rows [first, first + count).
  [[nodiscard]] RowBlock part(std::size_t first, std::size_t count) const {
    RowBlock block = *this;
    block.logits += first * logits_stride;
    block.weights += first * weights_stride;
    block.ranges += first;
    block.rows = count;
    return block;
  }
};

}  // namespace headroom::sim
