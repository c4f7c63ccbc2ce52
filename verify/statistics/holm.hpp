#pragma once

#include <span>
#include <vector>

namespace headroom::verify {

/// Holm's adjusted p-values, in the order given: with p_(1) ≤ … ≤ p_(m),
/// adjusted_(k) = max_{j ≤ k} min(1, (m − j + 1)·p_(j)) (Scand. J. Stat. 6, 1979). Rejecting where the adjusted value
/// is at most α keeps the probability of any false rejection at α or below, whatever the dependence. The running
/// maximum makes them monotone in p: no hypothesis is rejected while one with smaller p is kept. A value outside [0, 1]
/// or NaN gives Error (input) naming its index. Empty in, empty out.
[[nodiscard]] std::vector<double> holm_adjusted(std::span<const double> p_values);

/// Whether each hypothesis is rejected at family-wise level `level` in (0, 1): adjusted ≤ level.
[[nodiscard]] std::vector<bool> holm_rejected(std::span<const double> p_values, double level);

}  // namespace headroom::verify
