#include "verify/claims/pointwise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "verify/claims/blocks.hpp"
#include "verify/claims/quantiles.hpp"

namespace headroom::verify {

double Outcome::tightness() const {
  if (std::abs(excess) <= rounding) return 1.0;
  const double above = side == Side::upper ? observed : bound;
  const double below = side == Side::upper ? bound : observed;
  if (below != 0.0) return above / below;
  return above == 0.0 ? 1.0 : above * std::numeric_limits<double>::infinity();
}

namespace {

constexpr std::uint64_t block_trials = 64;

struct Found {
  PointInput input;
  Outcome outcome;
};

// Confirming a violation costs milliseconds; where everything violates, a few per block are enough.
constexpr std::uint64_t confirmed_per_block = 4;

// What a block of trials leaves behind.
struct Block {
  std::vector<double> tightness;
  std::uint64_t violations = 0;
  std::uint64_t rechecked = 0;
  bool trivial = true;
  std::optional<Found> worst;
  std::optional<Found> smallest;  // the smallest input that violates
};

// A would-be violation is a fact only once more digits confirm it.
bool confirmed(const PointwiseClaim& claim, const PointInput& input, Outcome& outcome, std::uint64_t& rechecked) {
  if (!outcome.violated()) return false;
  ++rechecked;
  outcome = claim.evaluate_exactly(input);
  return outcome.violated();
}

// What a trivial bound says is never the worst while there is anything else.
bool worse(const Outcome& a, const Outcome& b) {
  if (a.trivial != b.trivial) return b.trivial;
  return a.severity() > b.severity();
}

void keep_worse(std::optional<Found>& kept, Found candidate) {
  if (!kept || worse(candidate.outcome, kept->outcome)) kept = std::move(candidate);
}

void keep_smaller(std::optional<Found>& kept, Found candidate) {
  if (!kept || number_count(candidate.input) < number_count(kept->input)) kept = std::move(candidate);
}

void take(Block& block, const PointwiseClaim& claim, PointInput input) {
  Outcome outcome = claim.evaluate(input);
  const bool violates = block.violations < confirmed_per_block && confirmed(claim, input, outcome, block.rechecked);
  if (!outcome.trivial) block.tightness.push_back(outcome.tightness());
  block.trivial = block.trivial && outcome.trivial;
  if (violates) {
    ++block.violations;
    keep_smaller(block.smallest, {input, outcome});
  }
  // An outcome beyond its bound that was not confirmed is no evidence.
  if (outcome.violated() && !violates) return;
  if (!block.worst || worse(outcome, block.worst->outcome)) block.worst = Found{std::move(input), outcome};
}

Parameters parameters_of(const Shape& shape) {
  Parameters parameters{{"length", static_cast<double>(shape.length)}};
  if (shape.dim > 0) parameters.emplace_back("dim", static_cast<double>(shape.dim));
  if (shape.top > 0) parameters.emplace_back("top", static_cast<double>(shape.top));
  parameters.emplace_back("normalizer", shape.normalizer);
  return parameters;
}

Parameters parameters_of(const PointInput& input) {
  Parameters parameters = parameters_of(input.shape);
  parameters.emplace_back("temperature", input.temperature);
  if (input.epsilon > 0) parameters.emplace_back("epsilon", input.epsilon);
  return parameters;
}

WorstCase worst_case(const Found& found) {
  return {parameters_of(found.input), found.outcome.side == Side::upper ? "at most" : "at least",
          found.outcome.observed, found.outcome.bound};
}

Block run_shape(const PointwiseClaim& claim, const PointCell& cell, const RunContext& context, std::uint64_t key) {
  const std::uint64_t count = (cell.trials + block_trials - 1) / block_trials;
  std::vector<Block> blocks(count);
  for_blocks(count, context.stop, [&](std::uint64_t b) {
    sim::Stream stream(context.seed, key, b);
    const std::uint64_t trials = std::min(block_trials, cell.trials - b * block_trials);
    for (std::uint64_t t = 0; t < trials; ++t) take(blocks[b], claim, draw_input(stream, cell.shape, claim.domain()));
  });
  Block whole;
  for (Block& block : blocks) {
    whole.tightness.insert(whole.tightness.end(), block.tightness.begin(), block.tightness.end());
    whole.violations += block.violations;
    whole.rechecked += block.rechecked;
    whole.trivial = whole.trivial && block.trivial;
    if (block.worst) keep_worse(whole.worst, std::move(*block.worst));
    if (block.smallest) keep_smaller(whole.smallest, std::move(*block.smallest));
  }
  return whole;
}

}  // namespace

PointwiseClaim::PointwiseClaim(ClaimText text, Domain domain, Evaluation evaluate, Evaluation evaluate_exactly,
                               std::function<std::vector<PointCell>(Preset)> grid)
    : Claim(std::move(text)),
      domain_(domain),
      evaluate_(std::move(evaluate)),
      evaluate_exactly_(std::move(evaluate_exactly)),
      grid_(std::move(grid)) {}

ClaimResult PointwiseClaim::run(const RunContext& context) const {
  ClaimResult result;
  result.id = id();
  result.trivial = true;
  result.violations = 0;
  std::vector<double> tightness;
  std::optional<Found> worst;
  std::optional<Found> smallest;
  for (const PointCell& cell : grid_(context.preset)) {
    CellRecord record;
    record.claim = id();
    record.parameters = parameters_of(cell.shape);
    Block found = run_shape(*this, cell, context, stream_key(id(), record.parameters));
    record.trials = cell.trials;
    record.violations = found.violations;
    if (!found.tightness.empty()) record.tightness = tightness_of(found.tightness);
    result.trials += cell.trials;
    *result.violations += found.violations;
    result.rechecked += found.rechecked;
    result.trivial = result.trivial && found.trivial;
    tightness.insert(tightness.end(), found.tightness.begin(), found.tightness.end());
    if (found.worst) keep_worse(worst, std::move(*found.worst));
    if (found.smallest) keep_smaller(smallest, std::move(*found.smallest));
    context.finished(record);
    result.cells.push_back(std::move(record));
  }
  if (!tightness.empty()) result.tightness = tightness_of(std::move(tightness));
  if (worst) {
    result.worst = worst_case(*worst);
    result.worst_input = std::move(worst->input);
  }
  if (smallest) result.counterexample = std::move(smallest->input);
  return result;
}

void add_attack(ClaimResult& result, const PointwiseClaim& claim, const PointInput& input) {
  const Outcome outcome = claim.evaluate_exactly(input);
  result.trivial = result.trivial && outcome.trivial;
  if (result.tightness) result.tightness->max = std::max(result.tightness->max, outcome.tightness());
  if (!outcome.violated()) {
    const bool closest = !result.worst_input || worse(outcome, claim.evaluate_exactly(*result.worst_input));
    if (result.counterexample || !closest) return;
    result.worst = worst_case({input, outcome});
    result.worst_input = input;
    return;
  }
  result.violations = result.violations.value_or(0) + 1;
  result.worst = worst_case({input, outcome});
  result.worst_input = input;
  if (!result.counterexample || number_count(input) <= number_count(*result.counterexample)) {
    result.counterexample = input;
  }
}

}  // namespace headroom::verify
