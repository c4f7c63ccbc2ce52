#pragma once

#include <cstddef>

namespace headroom::sim {

/// P(‖x − y‖ < δ) of two independent uniform points on S^{d−1}: I_{δ²/4}((d−1)/2, (d−1)/2), the area of a cap, with I
/// the regularised incomplete beta function. d >= 2; 0 for δ <= 0, 1 for δ > 2.
[[nodiscard]] double pair_probability(std::size_t dim, double delta);

/// Estimated probability that `length` independent uniform points are all at least δ apart: (1 − p)^{L(L−1)/2} with p
/// the pair probability. The pairs are independent two by two but not together, so this is an estimate, not a bound.
[[nodiscard]] double estimated_acceptance(std::size_t length, std::size_t dim, double delta);

/// An upper bound of the smallest distance among L points on S^{d−1}; a larger δ is impossible, a smaller one not ruled
/// out. The least of: the regular simplex, √(2L/(L−1)), and √2 once L > d + 1 (Rankin 1955); caps of half the angle
/// must fit on the sphere, L·I_{δ²/4}((d−1)/2, ½)/2 <= 1; the regular polygon 2 sin(π/L) for d = 2, exact; and √(4 −
/// csc²(πL/(6(L−2)))) for d = 3, L >= 3 (Fejes Tóth 1943). d >= 2. For L < 2 there is no pair: infinity.
[[nodiscard]] double largest_separation(std::size_t length, std::size_t dim);

}  // namespace headroom::sim
