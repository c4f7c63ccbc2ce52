#pragma once

#include <cstddef>

namespace headroom::verify {

// Kernels of Algorithm 5. A logit's depth is l_i minus the largest of the row. Arrays are padded to
// lane_group_of<Real> (lanes.hpp): logits and depths with a number so low that no temperature in range lets it through,
// the rest with zeros.

/// α = exp((l − largest)/T)/Z.
void softmax_row(const double* logits, std::size_t padded, double largest, double temperature, double* alpha);

template <class Real>
struct SensitivityKernels {
  /// α = exp(depth/T)/Z, in Real and in double. The first token has the largest logit; its weight in double is what the
  /// others leave of 1, so that 1 − α carries no more than their rounding.
  void (*softmax)(const Real* depth, std::size_t padded, double temperature, Real* alpha, double* wide);

  /// max |v_i|.
  double (*longest_component)(const Real* direction, std::size_t padded);

  /// change = softmax(log α + scale·v) − α where every |scale·v_i| ≤ 1/2, by expm1; `top` is the dominant token, whose
  /// change is minus the sum of the others', or `padded` when no weight exceeds 1/2. Returns ‖change‖₂.
  double (*small_change)(const Real* alpha, const Real* direction, double scale, std::size_t padded, std::size_t top,
                         Real* change);

  /// The same for steps of any size, from the logits: change = softmax(depth/T + scale·v) − α.
  double (*large_change)(const Real* depth, const Real* alpha, const Real* direction, double temperature, double scale,
                         std::size_t padded, std::size_t top, Real* change);
};

/// For the vector instructions of this machine. Real is float or double.
template <class Real>
[[nodiscard]] const SensitivityKernels<Real>& sensitivity_kernels();

}  // namespace headroom::verify
