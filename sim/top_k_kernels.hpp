#pragma once

#include <cstddef>
#include <span>

#include "sim/scaled_logits.hpp"

namespace headroom::sim {

/// Softmax over the k largest logits, the lower index first among equals, for the vector instructions of this machine:
/// the k-th largest by selection, expected O(n), then one sweep for the sum and one to write.
template <class Real>
struct TopKKernels {
  void (*top_k)(std::span<RowTask<Real>> rows, std::size_t k);
};

template <class Real>
[[nodiscard]] const TopKKernels<Real>& top_k_kernels();

}  // namespace headroom::sim
