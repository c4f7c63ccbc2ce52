#pragma once

#include <cstddef>

#include "sim/row_block.hpp"

namespace headroom::sim {

/// The softmax family at memory speed, for the vector instructions of this machine; Real is float or double.
///
/// A row that fits the cache is read and written once: block after block its largest logit, exponentials and their sum,
/// each block relative to its own largest; then one factor for every block. A longer one is read twice and written
/// once. One sweep takes a row's exponentials, the largest logit of the row or block ahead and the factor of the row
/// behind, so that no sum is waited for, and asks for what comes later from memory. Rows of a few vectors go through
/// each step in batches.
template <class Real>
struct SoftmaxKernels {
  using Run = std::size_t (*)(const RowBlock<Real>& rows);

  /// e^{z_i}/Σe^{z_j}
  Run softmax;
  /// e^{z_i}/(1 + Σe^{z_j})
  Run softmax1;
  /// z_i·softmax(z)_i. No −∞.
  Run self_adjust;
  /// ((z_i − min(zmin, 0))/(max(zmax, 0) − min(zmin, 0)))·softmax(z)_i; zeros for 0/0. No −∞.
  Run self_adjust_normalized;
};

template <class Real>
[[nodiscard]] const SoftmaxKernels<Real>& softmax_kernels();

}  // namespace headroom::sim
