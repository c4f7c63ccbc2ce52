#pragma once

#include <span>

namespace headroom::app {

/// Sharpness of one row of weights ≥ 0, taken as shares of their sum.
struct RowStatistics {
  double entropy = 0;     ///< −Σ p log p in nats, p = w/Σw
  double max_weight = 0;  ///< largest p
  double zeros = 0;       ///< share of the entries that are exactly 0
};

/// One sweep in float32, sums in a fixed order; entropy to 1e-6 of log n. A row that sums to 0 has entropy 0.
[[nodiscard]] RowStatistics row_statistics(std::span<const float> weights);

}  // namespace headroom::app
