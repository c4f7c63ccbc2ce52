#pragma once

#include <cmath>
#include <limits>

#include "verify/claims/pointwise.hpp"

namespace headroom::verify {

/// Collects what a claim says about one input, inequality by inequality, and keeps the one that came closest to failing
/// relative to its scale, or failed most.
template <class Real>
class Inequalities {
 public:
  /// observed ≤ bound up to `rounding`. `trivial`: the bound is one that always holds.
  void at_most(const Real& observed, const Real& bound, const Real& rounding, bool trivial = false) {
    keep(Side::upper, observed, bound, Real(observed - bound), rounding, trivial);
  }
  void at_least(const Real& observed, const Real& bound, const Real& rounding, bool trivial = false) {
    keep(Side::lower, observed, bound, Real(bound - observed), rounding, trivial);
  }

  /// Nothing said yet: an outcome that holds trivially.
  [[nodiscard]] const Outcome& worst() const { return worst_; }

 private:
  void keep(Side side, const Real& observed, const Real& bound, const Real& excess, const Real& rounding,
            bool trivial) {
    using std::abs;
    Outcome next;
    next.side = side;
    next.observed = static_cast<double>(observed);
    next.bound = static_cast<double>(bound);
    next.rounding = static_cast<double>(rounding);
    next.trivial = trivial || (observed == 0 && bound == 0);
    const Real size = abs(bound) > abs(observed) ? Real(abs(bound)) : Real(abs(observed));
    next.scale = static_cast<double>(size);
    next.excess = static_cast<double>(excess);
    if (!(next.scale > 0.0)) next.scale = 1.0;
    // An infinite bound on its own side claims nothing.
    if (!std::isfinite(next.scale)) {
      next.scale = 1.0;
      next.excess = excess > 0 ? 1.0 : -1.0;
    }
    const bool all_trivial = next.trivial && (worst_.trivial || !any_);
    if (!any_ || next.severity() > worst_.severity()) worst_ = next;
    worst_.trivial = all_trivial;
    any_ = true;
  }

  Outcome worst_{.excess = -1.0, .trivial = true};
  bool any_ = false;
};

}  // namespace headroom::verify
