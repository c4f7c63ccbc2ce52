#pragma once

#include "verify/statistics/moments.hpp"

namespace headroom::verify {

/// One-sided p-value of "the expectation is at most `bound`": P(T_{n−1} ≥ (mean − bound)/standard error), small when
/// the mean lies above. For "at least", negate the values and the bound.
///
/// `rounding` ≥ 0 is what rounding may have added to each value: the bound is raised by it, so that a claim that holds
/// with equality, whose values have no spread, is not refuted by the last bit. With no spread the p-value is 0 above
/// the raised bound and 1 otherwise; with fewer than two values it is 1. A NaN mean or bound gives Error (input).
[[nodiscard]] double p_mean_exceeds(const Moments& moments, double bound, double rounding = 0.0);

/// Two-sided p-value of "the expectation is `value`", 2·P(T_{n−1} ≥ (|mean − value| − rounding)/standard error), at
/// most 1.
[[nodiscard]] double p_mean_differs(const Moments& moments, double value, double rounding = 0.0);

}  // namespace headroom::verify
