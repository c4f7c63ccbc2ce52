#pragma once

#include "sim/row_block.hpp"

namespace headroom::sim {

/// Projections onto the simplex that leave most tokens without weight, for the vector instructions of this machine. A
/// row is read three times: for its largest logit, for the tokens near enough to it to have weight, which alone the
/// threshold is sought among, and to write. The threshold is found in float64 whatever Real is, by selection: every
/// step drops tokens for good, expected O(n) together.
///
/// @param scratch room for n + 16 numbers, n the longest row
template <class Real>
struct SimplexKernels {
  /// (z_i − τ)₊. Exact: steps of Newton from below on a piecewise linear function (Michelot 1986).
  std::size_t (*sparsemax)(const RowBlock<Real>& rows, double* scratch);

  /// (z_i/2 − τ)₊². Exact: the same on a piecewise quadratic one, ended by its root.
  std::size_t (*entmax15)(const RowBlock<Real>& rows, double* scratch);

  /// [(α−1)z_i − τ]₊^{1/(α−1)}, α > 1, divided by their sum: for α < 2 Newton on the logarithm of the sum, which is
  /// linear for softmax, within a bracket; beyond, solve_steep.
  std::size_t (*entmax)(const RowBlock<Real>& rows, double alpha, double* scratch);
};

template <class Real>
[[nodiscard]] const SimplexKernels<Real>& simplex_kernels();

}  // namespace headroom::sim
