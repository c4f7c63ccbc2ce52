#pragma once

#include <cstddef>

#include "sim/row_block.hpp"

namespace headroom::sim {

/// Normalizers of one function per token, for the vector instructions of this machine. No −∞ but in sigmoid.
template <class Real>
struct ElementwiseKernels {
  using Run = std::size_t (*)(const RowBlock<Real>& rows);

  /// 1/(1 + e^{−z−b}), from its small side.
  Run sigmoid;

  /// F(z_i)/ΣF for F = log(1 + e^z), 1 + z² and cosh, each divided by something near its largest value first.
  Run softplus;
  Run square;
  Run cosh;

  /// Whether some logit is −∞.
  bool (*any_masked)(const Real* logits, std::size_t n);
};

template <class Real>
[[nodiscard]] const ElementwiseKernels<Real>& elementwise_kernels();

}  // namespace headroom::sim
