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

  /// ‖softmax(log α + scale·v) − α‖₂ where every |scale·v_i| ≤ 1/2, by expm1; `tiny`: where they are ≤ 1/100. A
  /// `dominant` first token, of weight above 1/2, moves by minus the sum of the others' changes. `scratch` as padded.
  double (*small_change)(const Real* alpha, const Real* direction, double scale, std::size_t padded, bool dominant,
                         bool tiny, Real* scratch);

  /// The same for steps of any size, from the logits: ‖softmax(depth/T + scale·v) − α‖₂.
  double (*large_change)(const Real* depth, const Real* alpha, const Real* direction, double temperature, double scale,
                         std::size_t padded, bool dominant, Real* scratch);
};

/// For the vector instructions of this machine. Real is float or double.
template <class Real>
[[nodiscard]] const SensitivityKernels<Real>& sensitivity_kernels();

}  // namespace headroom::verify
