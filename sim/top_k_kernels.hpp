#pragma once

#include <cstddef>

#include "sim/row_block.hpp"

namespace headroom::sim {

/// Softmax over the k largest logits, the lower index first among equals, for the vector instructions of this machine:
/// the k-th largest by selection, expected O(n), then one sweep for the sum and one to write.
template <class Real>
struct TopKKernels {
  std::size_t (*top_k)(const RowBlock<Real>& rows, std::size_t k);
};

template <class Real>
[[nodiscard]] const TopKKernels<Real>& top_k_kernels();

}  // namespace headroom::sim
