#pragma once

namespace headroom::theory {

/// A closed interval: what a two-sided bound says.
template <class Real>
struct Interval {
  Real lower;
  Real upper;
};

}  // namespace headroom::theory
