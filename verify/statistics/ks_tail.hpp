#pragma once

#include <cstdint>
#include <span>

namespace headroom::verify {

/// The laws behind the Kolmogorov–Smirnov tests, all as upper tails, so that tiny probabilities keep their digits.

/// P(S' ≥ statistic) for the two-sample integer statistic S' = max |i·m − j·n| over the points where the pooled sample
/// has been walked up to the end of a group of equal values (i of the first sample's n, j of the second's m values seen
/// so far), every assignment of the pooled values to the two samples being equally likely. The test statistic is
/// D = S/(n·m); comparing integers leaves nothing to rounding.
///
/// With u(i, j) the probability that a random lattice path from (0, 0) to (i, j) has met the boundary, the last step of
/// the path gives u(i, j) = i/(i+j)·u(i−1, j) + j/(i+j)·u(i, j−1), and u = 1 where the boundary is met at the end of a
/// group. All terms are positive and at most 1: nothing cancels, nothing overflows. Steps: (n+m) diagonals of at most
/// 2·statistic/(n+m) + (largest group) cells each.
///
/// @param n, m        sample sizes, both ≥ 1, n·m < 2⁶²
/// @param statistic   the observed S; at most 0 gives 1
/// @param tie_groups  sizes of the groups of equal values in increasing order of value, summing to n+m; empty when all
///                    are distinct
/// @return the probability, with relative error below 4(n+m)·2⁻⁵² while it is above 1e-290; less underflows gradually
/// to 0
[[nodiscard]] double two_sample_tail(std::int64_t n, std::int64_t m, std::int64_t statistic,
                                     std::span<const std::int64_t> tie_groups = {});

/// P(D_n ≥ d) for the one-sample statistic of n independent values against their own continuous law.
///
/// Where n·d² ≥ 4 or d ≥ 1/2, twice the one-sided tail of Birnbaum and Tingey (Ann. Math. Stat. 22, 1951), a sum of
/// positive terms; it counts paths that leave on both sides twice, which is impossible for d ≥ 1/2 and otherwise a
/// relative error of about exp(−6nd²) ≤ 4e-11. Elsewhere one minus the matrix formula of Marsaglia, Tsang and Wang
/// (J. Stat. Software 8(18), 2003), applied to a vector instead of raising the matrix to a power: O(n·(nd)²) steps,
/// absolute error below 1e-13 up to n = 2,000.
///
/// @param n ≥ 1
/// @param d the statistic; ≤ 1/(2n) gives 1, ≥ 1 gives 0
[[nodiscard]] double one_sample_tail(std::int64_t n, double d);

/// P(K ≥ x) for Kolmogorov's limiting law, 2·Σ_{k≥1} (−1)^{k−1} exp(−2k²x²); 1 for x ≤ 0.
[[nodiscard]] double kolmogorov_tail(double x);

}  // namespace headroom::verify
