#include "verify/attack/claim_attack.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/hash.hpp"
#include "verify/attack/cell_search.hpp"
#include "verify/attack/point_search.hpp"
#include "verify/attack/shrink.hpp"
#include "verify/claims/expectation.hpp"

namespace headroom::verify {
namespace {

void attack(const PointwiseClaim& claim, const RunContext& context, ClaimResult& result) {
  PointSearchOptions options;
  options.preset = context.preset;
  options.seed = context.seed;
  options.stop = context.stop;
  options.known = result.worst_input;
  const FoundInput found = search_worst(claim, options);
  add_attack(result, claim, found.input);
  if (!result.counterexample) return;
  const auto violates = [&](const PointInput& input) {
    if (context.stop()) throw Stopped{};
    return claim.evaluate_exactly(input).violated();
  };
  const std::optional<WorstCase> worst = result.worst;
  const std::optional<PointInput> worst_input = result.worst_input;
  add_attack(result, claim,
             shrink(found.outcome.violated() ? found.input : *result.counterexample, claim.domain(), violates));
  result.worst = worst;
  result.worst_input = worst_input;
}

std::uint64_t trials(Preset preset) { return preset == Preset::quick ? 64 : preset == Preset::paper ? 512 : 4096; }

void attack(const ExpectationClaim& claim, const RunContext& context, ClaimResult& result) {
  CellSearchOptions options;
  options.preset = context.preset;
  options.seed = context.seed;
  options.stop = context.stop;
  const MeanCell cell = search_cell(claim.space(), sim::hash64("attack search|" + claim.id()), options);
  CellRecord record = run_cell(cell, trials(context.preset), context.seed,
                               stream_key(claim.id() + "/attack", cell.parameters), context.stop);
  record.claim = claim.id();
  double least_p = 2.0;
  for (const Hypothesis& hypothesis : result.hypotheses) least_p = std::min(least_p, hypothesis.p_value);
  for (const TestedMean& test : record.tests) {
    result.hypotheses.push_back(test.hypothesis);
    result.hypothesis_cell.push_back(result.cells.size());
    result.trivial = result.trivial && test.trivial;
    if (test.hypothesis.p_value >= least_p) continue;
    least_p = test.hypothesis.p_value;
    result.worst = WorstCase{cell.parameters, test.hypothesis.name, test.observed.mean, test.bound.mean};
  }
  result.trials += record.trials;
  context.finished(record);
  result.cells.push_back(std::move(record));
}

}  // namespace

std::size_t ClaimAttack::hypotheses(const Claim& claim, Preset) const {
  const auto* about_means = dynamic_cast<const ExpectationClaim*>(&claim);
  if (about_means == nullptr || about_means->space().axes.empty()) return 0;
  // Every cell of a space has the same bounds.
  std::vector<double> corner;
  for (const Axis& axis : about_means->space().axes) corner.push_back(axis.lower);
  return about_means->space().cell(corner).bounds.size();
}

void ClaimAttack::run(const Claim& claim, const RunContext& context, ClaimResult& result) const {
  if (const auto* pointwise = dynamic_cast<const PointwiseClaim*>(&claim)) return attack(*pointwise, context, result);
  const auto* about_means = dynamic_cast<const ExpectationClaim*>(&claim);
  if (about_means != nullptr && !about_means->space().axes.empty()) attack(*about_means, context, result);
}

}  // namespace headroom::verify
