#pragma once

#include <functional>

#include "verify/claims/pointwise.hpp"

namespace headroom::verify {

/// How far a number is from being round: 0 for 0, else its significant binary digits and the size of its exponent. 1
/// and −1 are the roundest after 0.
[[nodiscard]] int digits_of(double value);

/// A smaller and rounder input that has a property, found greedily: fewest tokens, then the smallest N and d, then the
/// roundest numbers, until nothing more can be dropped or rounded. Every candidate lies in the domain; where the result
/// differs from the input it was asked for the property and has it.
/// @param has_property of inputs in the domain; asked a few times per number. It may throw, e.g. Stopped.
[[nodiscard]] PointInput shrink(PointInput input, const Domain& domain,
                                const std::function<bool(const PointInput&)>& has_property);

}  // namespace headroom::verify
