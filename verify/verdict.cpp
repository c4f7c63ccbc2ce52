#include "verify/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "verify/statistics/holm.hpp"
#include "verify/statistics/intervals.hpp"

namespace headroom::verify {
namespace {

constexpr std::array<std::string_view, 5> names = {"holds", "refuted", "inconclusive", "vacuous", "measured"};

Decision decide_pointwise(const ClaimResult& result) {
  Decision decision;
  const std::uint64_t violations = result.violations.value_or(0);
  if (result.trials > 0) {
    decision.violation_limit =
        clopper_pearson_upper(std::min(violations, result.trials), result.trials, limit_confidence);
  }
  if (violations > 0) {
    decision.verdict = Verdict::refuted;
    decision.reason = fmt::format("{} violations, each confirmed in 168 bits", violations);
  } else if (result.trivial) {
    decision.verdict = Verdict::vacuous;
    decision.reason = "implied by a bound that always holds";
  } else if (result.trials > 0) {
    decision.verdict = Verdict::holds;
    decision.reason = fmt::format("no violation in {} inputs", result.trials);
  }
  return decision;
}

// `adjusted` are the p-values of the result's hypotheses after the correction.
Decision decide_statistical(Kind kind, const ClaimResult& result, std::span<const double> adjusted) {
  Decision decision;
  if (adjusted.empty()) {
    decision.reason = "nothing was tested";
    return decision;
  }
  const auto least = std::ranges::min_element(adjusted);
  decision.p_value = *least;
  const Hypothesis& strongest = result.hypotheses[static_cast<std::size_t>(least - adjusted.begin())];
  if (*least <= family_level) {
    decision.verdict = Verdict::refuted;
    decision.reason = fmt::format("{}: p = {:.2g} after Holm's correction", strongest.name, *least);
    return decision;
  }
  if (kind == Kind::expectation && result.trivial) {
    decision.verdict = Verdict::vacuous;
    decision.reason = "implied by a bound that always holds";
    return decision;
  }
  for (const Hypothesis& hypothesis : result.hypotheses) {
    if (hypothesis.power.value_or(1.0) < required_power) {
      decision.reason = fmt::format("{}: power {:.3f} is below {}", hypothesis.name, *hypothesis.power, required_power);
      return decision;
    }
  }
  decision.verdict = Verdict::holds;
  decision.reason = fmt::format("smallest p = {:.2g} after Holm's correction", *least);
  return decision;
}

}  // namespace

std::string_view name(Verdict verdict) { return names[static_cast<std::size_t>(verdict)]; }

std::optional<Verdict> verdict_named(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return {};
  return static_cast<Verdict>(found - names.begin());
}

std::vector<Decision> decide(std::span<const Kind> kinds, std::span<const ClaimResult> results) {
  std::vector<double> p_values;
  for (const ClaimResult& result : results) {
    for (const Hypothesis& hypothesis : result.hypotheses) p_values.push_back(hypothesis.p_value);
  }
  const std::vector<double> adjusted = holm_adjusted(p_values);
  std::vector<Decision> decisions;
  std::size_t next = 0;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const std::span<const double> own = std::span(adjusted).subspan(next, results[k].hypotheses.size());
    next += own.size();
    switch (kinds[k]) {
      case Kind::pointwise:
        decisions.push_back(decide_pointwise(results[k]));
        break;
      case Kind::measurement:
        decisions.push_back({Verdict::measured, "a measurement", {}, {}});
        break;
      case Kind::expectation:
      case Kind::asymptotic:
        decisions.push_back(decide_statistical(kinds[k], results[k], own));
        break;
    }
  }
  return decisions;
}

}  // namespace headroom::verify
