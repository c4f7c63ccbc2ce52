#pragma once

#include <string>

#include "app/compare/candidate.hpp"

namespace headroom::app {

/// What is made equal before normalizers are compared.
enum class Match { none, entropy, max_weight };

/// As `--match` names it: "none", "entropy" or "max-weight".
[[nodiscard]] const char* match_name(Match match);

struct Fit {
  double temperature = 1;
  bool reached = true;
  double target = 0;
  double lowest = 0;  ///< the values between which `target` would have to lie
  double highest = 0;
};

/// The mean over all queries of what is matched.
[[nodiscard]] double sharpness(const HeadWeights& weights, const Visibility& visibility, Match match);

/// The temperature at which the candidate's sharpness over all queries of the head is `target`: bracketed between 10⁻⁴
/// and 10⁴, then TOMS 748 on log T to 1e-4. Sums run in query order. Not reached when the target lies outside of what
/// the two ends of the bracket give.
[[nodiscard]] Fit fit_temperature(const Candidate& candidate, const HeadLogits& logits, Match match, double target,
                                  HeadWeights& scratch);

}  // namespace headroom::app
