#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verify/claims/claim.hpp"

namespace headroom::verify {

/// What a run says about a claim (docs/derivations.md, Section 5).
enum class Verdict {
  holds,         ///< nothing refutes it, and a violation of the size the preset asks for would have been caught
  refuted,       ///< a confirmed violation, a mean beyond its bound, or a limit that the extrapolation excludes
  inconclusive,  ///< nothing refutes it, but the test was too weak in some cell
  vacuous,       ///< implied by a bound that always holds, in every cell tested
  measured,      ///< nothing is claimed
};

[[nodiscard]] std::string_view name(Verdict verdict);
[[nodiscard]] std::optional<Verdict> verdict_named(std::string_view name);

/// Probability of any false refutation in a run in which every claim is true.
inline constexpr double family_level = 0.01;

/// Power that `holds` needs in every cell with a bound of at least 0.3.
inline constexpr double required_power = 0.95;

/// Confidence of the upper limit of a violation rate.
inline constexpr double limit_confidence = 0.99;

struct Decision {
  Verdict verdict = Verdict::inconclusive;
  std::string reason;
  std::optional<double> p_value;          ///< the smallest of its hypotheses, after Holm's correction
  std::optional<double> violation_limit;  ///< Clopper–Pearson upper limit of the violation rate of the inputs drawn
};

/// The verdicts of a run; Holm's correction is over every hypothesis in it. `results[k]` is of a claim of `kinds[k]`.
[[nodiscard]] std::vector<Decision> decide(std::span<const Kind> kinds, std::span<const ClaimResult> results);

}  // namespace headroom::verify
