#pragma once

#include <cstddef>

#include "verify/row_kernels.hpp"

namespace headroom::verify {

/// One N of a sweep: the token that makes the selection N tokens, and what the sums at that N need.
template <class Real>
struct SweepStep {
  std::size_t top = 0;         ///< N
  const Real* gram = nullptr;  ///< row of G of that token
  double weight = 0;           ///< its α
  double s2 = 0;               ///< ‖s‖² of the N selected
  ExpectedTerms terms;         ///< of E₀ at this N
};

struct SweepSums {
  Sum distance;
  Sum expected;
};

/// How many N one sweep takes at most.
inline constexpr std::size_t sweep_width = 4;

/// D and E₀ for consecutive N in one pass over the arrays of a row, which are then read once for all of them: per token
/// and N one load of G, one update of s·x_i and two square roots. The values are those of RowKernels' distance_sum and
/// expected_sum, to the bit. @param sx s·x_i before the first step; after the last on return
template <class Real>
void sweep(const RowArrays<Real>& row, Real* sx, const SweepStep<Real>* steps, std::size_t count, SweepSums* sums);

}  // namespace headroom::verify
