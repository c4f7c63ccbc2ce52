#pragma once

#include <array>
#include <cstddef>

namespace headroom::sim {

/// For r pairs of columns u_k, v_k over n tokens with d_i >= 0, the sums that their singular values are found by, and
/// their derivatives in σ. `value` has the upper triangle, row by row, of
/// [[Σ u_k u_l σ/(σ²−d²), Σ u_k v_l d/(σ²−d²)], [·, Σ v_k v_l σ/(σ²−d²)]].
template <std::size_t r>
struct LowRankSums {
  static constexpr std::size_t count = r * (2 * r + 1);
  std::array<double, count> value;
  std::array<double, count> slope;
};

/// columns: u_1, …, u_r, v_1, …, v_r. σ is above every d_i.
template <std::size_t r>
[[nodiscard]] LowRankSums<r> low_rank_sums(const double* d, const std::array<const double*, 2 * r>& columns,
                                           std::size_t n, double sigma);

}  // namespace headroom::sim
