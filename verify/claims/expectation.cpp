#include "verify/claims/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "verify/claims/blocks.hpp"
#include "verify/claims/quantiles.hpp"
#include "verify/statistics/mean_test.hpp"
#include "verify/statistics/power.hpp"

namespace headroom::verify {
namespace {

// A bound below this is not asked to have its violations caught (docs/derivations.md, Section 5).
constexpr double least_bound = 0.3;
constexpr double required_power = 0.95;
constexpr std::uint64_t pilot_trials = 128;
constexpr std::uint64_t fewest_trials = 256;
// A second pilot of this share of the trials the first one asks for knows the spread better.
constexpr std::uint64_t pilot_share = 10;
// A cell whose spread would ask for more than this is reported as inconclusive instead.
constexpr std::uint64_t blocks_at_once = 4096;
constexpr std::uint64_t most_trials = 40'000'000;

double excess_of(const MeanBound& bound, const Sample& sample) {
  return bound.side == MeanBound::Side::upper ? sample.observed - sample.bound : sample.bound - sample.observed;
}

double rounding_of(const MeanBound& bound, double mean_bound) {
  return bound.rounding + bound.relative_rounding * std::abs(mean_bound);
}

struct BlockSums {
  std::vector<TestedMean> tests;
  std::vector<Moments> measured;
};

BlockSums run_block(const MeanCell& cell, sim::Stream& stream) {
  BlockSums sums{std::vector<TestedMean>(cell.bounds.size()), std::vector<Moments>(cell.measured.size())};
  for (TestedMean& test : sums.tests) test.trivial = true;
  const MeanCell::Trial trial = cell.make_trial();
  std::vector<Sample> samples(cell.bounds.size() + cell.measured.size());
  for (std::uint64_t t = 0; t < cell.block; ++t) {
    std::ranges::fill(samples, Sample{});
    trial(stream, samples);
    for (std::size_t k = 0; k < cell.bounds.size(); ++k) {
      sums.tests[k].observed.add(samples[k].observed);
      sums.tests[k].bound.add(samples[k].bound);
      sums.tests[k].excess.add(excess_of(cell.bounds[k], samples[k]));
      sums.tests[k].trivial = sums.tests[k].trivial && samples[k].trivial;
    }
    for (std::size_t k = 0; k < cell.measured.size(); ++k) {
      sums.measured[k].add(samples[cell.bounds.size() + k].observed);
    }
  }
  return sums;
}

void merge(CellRecord& record, const BlockSums& block) {
  for (std::size_t k = 0; k < record.tests.size(); ++k) {
    TestedMean& test = record.tests[k];
    test.observed.merge(block.tests[k].observed);
    test.bound.merge(block.tests[k].bound);
    test.excess.merge(block.tests[k].excess);
    test.trivial = test.trivial && block.tests[k].trivial;
  }
  for (std::size_t k = 0; k < record.measured.size(); ++k) record.measured[k].second.merge(block.measured[k]);
}

double tightness_of_means(const MeanBound& bound, const TestedMean& test) {
  const bool upper = bound.side == MeanBound::Side::upper;
  const double above = upper ? test.observed.mean : test.bound.mean;
  const double below = upper ? test.bound.mean : test.observed.mean;
  if (below == 0.0) return above == 0.0 ? 1.0 : std::copysign(std::numeric_limits<double>::infinity(), above);
  return above / below;
}

// Trials that every bound of the cell needs, judged by a pilot.
std::uint64_t choose_trials(const MeanCell& cell, const CellRecord& pilot, double level, double violation) {
  std::uint64_t trials = fewest_trials;
  for (std::size_t k = 0; k < cell.bounds.size(); ++k) {
    const TestedMean& test = pilot.tests[k];
    const double spread = test.excess.standard_deviation();
    if (test.trivial || !(test.bound.mean >= least_bound) || !(spread > 0.0)) continue;
    const double shift = violation * test.bound.mean - rounding_of(cell.bounds[k], test.bound.mean);
    if (!(shift > 0.0)) continue;
    // A pilot of n normal values knows the spread to a relative 1/√(2n), and one of long tails less well: ask for the
    // spread there may be at worst.
    const double slack = 1.1 + 2.0 / std::sqrt(2.0 * static_cast<double>(test.excess.count));
    const MeanTest plan{level, spread * slack};
    // Where trials_needed would refuse, the cap decides.
    const double rough = std::pow(6.0 * plan.standard_deviation / shift, 2);
    const std::uint64_t needed = rough > 1e12 ? most_trials : trials_needed(plan, shift, required_power);
    trials = std::max(trials, needed);
  }
  return std::min(trials, most_trials);
}

}  // namespace

CellRecord run_cell(const MeanCell& cell, std::uint64_t trials, std::uint64_t seed, std::uint64_t key,
                    const std::function<bool()>& stop) {
  const std::uint64_t count = (trials + cell.block - 1) / cell.block;
  CellRecord record;
  record.parameters = cell.parameters;
  record.trials = count * cell.block;
  record.tests.resize(cell.bounds.size());
  for (TestedMean& test : record.tests) test.trivial = true;
  for (const std::string& name : cell.measured) record.measured.emplace_back(name, Moments{});
  // Merged from the first block to the last, a wave at a time so that memory does not grow with the trials.
  std::vector<BlockSums> wave;
  for (std::uint64_t first = 0; first < count; first += wave.size()) {
    wave.assign(std::min(blocks_at_once, count - first), {});
    for_blocks(wave.size(), stop, [&](std::uint64_t b) {
      sim::Stream stream(seed, key, first + b);
      wave[b] = run_block(cell, stream);
    });
    for (const BlockSums& block : wave) merge(record, block);
  }
  for (std::size_t k = 0; k < cell.bounds.size(); ++k) {
    TestedMean& test = record.tests[k];
    test.hypothesis.name = cell.bounds[k].name;
    test.hypothesis.p_value = p_mean_exceeds(test.excess, 0.0, rounding_of(cell.bounds[k], test.bound.mean));
  }
  return record;
}

CellMargin cell_margin(const CellRecord& record) {
  CellMargin worst{-std::numeric_limits<double>::infinity(), 0.0};
  for (const TestedMean& test : record.tests) {
    const double scale = std::max(std::abs(test.bound.mean), std::numeric_limits<double>::min());
    const double margin = test.excess.mean / scale;
    if (margin > worst.margin) worst = {margin, test.excess.standard_error() / scale};
  }
  return worst;
}

namespace {

// The hypothesis with the power its test had, by the spread it saw.
void judge(const MeanBound& bound, TestedMean& test, double level, double violation) {
  Hypothesis& hypothesis = test.hypothesis;
  if (test.trivial || !(test.bound.mean >= least_bound)) return;
  const double shift = violation * test.bound.mean - rounding_of(bound, test.bound.mean);
  const MeanTest plan{level, test.excess.standard_deviation()};
  hypothesis.power = shift > 0.0 ? mean_test_power(plan, shift, test.excess.count) : 0.0;
}

// A pilot that saw none of a rare event asks for too few trials. Then more are added by the spread that came out, the
// first ones staying what they are; how many depends on the spread and not on the side the mean is on.
CellRecord run_powered(const MeanCell& cell, std::uint64_t trials, const RunContext& context, std::uint64_t key) {
  constexpr int rounds = 3;
  const double violation = detectable_violation(context.preset);
  for (int round = 0;; ++round) {
    CellRecord record = run_cell(cell, trials, context.seed, key, context.stop);
    bool powered = true;
    for (std::size_t k = 0; k < cell.bounds.size(); ++k) {
      judge(cell.bounds[k], record.tests[k], context.level, violation);
      powered = powered && record.tests[k].hypothesis.power.value_or(1.0) >= required_power;
    }
    const std::uint64_t needed = powered ? 0 : choose_trials(cell, record, context.level, violation);
    if (needed <= record.trials || round == rounds) return record;
    trials = needed;
  }
}

}  // namespace

ExpectationClaim::ExpectationClaim(ClaimText text, std::function<std::vector<MeanCell>(Preset)> grid,
                                   std::shared_ptr<const CellFamily> family, CellSpace space)
    : Claim(std::move(text)), grid_(std::move(grid)), family_(std::move(family)), space_(std::move(space)) {}

std::size_t ExpectationClaim::hypotheses(Preset preset) const {
  std::size_t count = 0;
  for (const MeanCell& cell : grid_(preset)) count += cell.bounds.size();
  return count;
}

ClaimResult ExpectationClaim::run(const RunContext& context) const {
  const double violation = detectable_violation(context.preset);
  ClaimResult result;
  result.id = id();
  result.trivial = true;
  std::vector<double> tightness;
  double least_p = 2.0;
  double least_margin = 0.0;
  for (const MeanCell& cell : grid_(context.preset)) {
    const std::uint64_t pilot_key = stream_key(id() + "/pilot", cell.parameters);
    const auto trials_by_pilot = [&](std::uint64_t size) {
      return choose_trials(cell, run_cell(cell, size, context.seed, pilot_key, context.stop), context.level, violation);
    };
    std::uint64_t trials = trials_by_pilot(pilot_trials);
    if (trials / pilot_share > pilot_trials) trials = trials_by_pilot(trials / pilot_share);
    CellRecord record = run_powered(cell, trials, context, stream_key(id(), cell.parameters));
    record.claim = id();
    std::vector<double> of_cell;
    for (std::size_t k = 0; k < cell.bounds.size(); ++k) {
      TestedMean& test = record.tests[k];
      result.hypotheses.push_back(test.hypothesis);
      result.hypothesis_cell.push_back(result.cells.size());
      result.trivial = result.trivial && test.trivial;
      of_cell.push_back(tightness_of_means(cell.bounds[k], test));
      // Of p-values that underflow alike, the larger margin is the worse.
      const double margin = test.excess.mean / std::max(std::abs(test.bound.mean), 1e-300);
      if (test.hypothesis.p_value < least_p || (test.hypothesis.p_value == least_p && margin > least_margin)) {
        least_p = test.hypothesis.p_value;
        least_margin = margin;
        result.worst = WorstCase{cell.parameters, cell.bounds[k].name, test.observed.mean, test.bound.mean};
      }
    }
    tightness.insert(tightness.end(), of_cell.begin(), of_cell.end());
    record.tightness = tightness_of(std::move(of_cell));
    result.trials += record.trials;
    context.finished(record);
    result.cells.push_back(std::move(record));
  }
  result.tightness = tightness_of(std::move(tightness));
  return result;
}

}  // namespace headroom::verify
