#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>

namespace headroom::theory {

/// `coverage`, as printed: the share of tokens that at least one of H independent heads separates, each separating a
/// fraction p of the same tokens: 1 − (1−p)^H. Requires 0 ≤ p ≤ 1. H = 0 gives 0.
template <class Real>
[[nodiscard]] Real coverage(const Real& fraction, std::size_t heads) {
  using std::expm1;
  using std::log1p;
  assert(fraction >= 0 && fraction <= 1);
  if (heads == 0) return Real(0);
  if (fraction == 1) return Real(1);
  return -expm1(Real(static_cast<Real>(heads) * log1p(Real(-fraction))));
}

}  // namespace headroom::theory
