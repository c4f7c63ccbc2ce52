#include "verify/attack/point_search.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/hash.hpp"
#include "verify/attack/maximise.hpp"
#include "verify/attack/starts.hpp"
#include "verify/claims/blocks.hpp"

namespace headroom::verify {
namespace {

constexpr std::size_t fewest_starts = 32;
constexpr std::size_t starts_per_shape = 4;
// A simplex in more dimensions than this makes no headway in the evaluations there are.
constexpr std::size_t most_numbers = 48;
constexpr std::uint64_t fewest_evaluations = 60;
constexpr std::uint64_t most_evaluations = 2'000;
// The last search, from the best end, may spend this many times what one start may.
constexpr int finish = 4;

// The severity less what rounding can have made of it: where observed and bound nearly vanish, noise is as large as
// they are and would draw the search to it.
double assured_severity(const Outcome& outcome) { return (outcome.excess - outcome.rounding) / outcome.scale; }

struct Start {
  Shape shape;
  std::vector<double> flat;
};

// Every shape of the grid that has few numbers; the least one where all have many.
std::vector<Shape> shapes_of(const std::vector<PointCell>& grid, const Domain& domain) {
  const auto numbers = [&](const Shape& shape) { return box(shape, domain).lower.size(); };
  std::vector<Shape> shapes;
  for (const PointCell& cell : grid) {
    if (numbers(cell.shape) <= most_numbers) shapes.push_back(cell.shape);
  }
  if (shapes.empty()) {
    shapes.push_back(
        std::ranges::min_element(grid, {}, [&](const PointCell& cell) { return numbers(cell.shape); })->shape);
  }
  return shapes;
}

std::vector<Start> make_starts(const PointwiseClaim& claim, const std::vector<Shape>& shapes,
                               const PointSearchOptions& options) {
  const Domain& domain = claim.domain();
  const std::size_t count = std::max(fewest_starts, starts_per_shape * shapes.size());
  const std::uint64_t key = sim::hash64("attack|" + claim.id());
  std::vector<Start> starts;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t which = k % shapes.size();
    const std::size_t round = k / shapes.size();
    sim::Stream stream(options.seed, key, k);
    const PointInput input = options.structured && round % 2 == 0
                                 ? structured_input(shapes[which], domain, which + round / 2)
                                 : draw_input(stream, shapes[which], domain);
    starts.push_back({shapes[which], flatten(input, domain)});
  }
  if (options.known) starts.push_back({options.known->shape, flatten(*options.known, domain)});
  return starts;
}

struct End {
  PointInput input;
  Outcome outcome;
};

// The ends of a range in the logarithm are not always its ends again.
PointInput input_at(const Shape& shape, const Domain& domain, std::span<const double> flat) {
  PointInput input = unflatten(shape, domain, flat);
  const auto clamp = [](double value, Range range) { return std::clamp(value, range.lower, range.upper); };
  input.temperature = clamp(input.temperature, domain.temperature);
  if (domain.step) input.epsilon = clamp(input.epsilon, domain.epsilon);
  return input;
}

// From one start; the known worst input may be too long for a simplex and is then only evaluated.
End climb(const PointwiseClaim& claim, const Start& start, int evaluations) {
  const Domain& domain = claim.domain();
  const auto severity = [&](std::span<const double> flat) {
    return assured_severity(claim.evaluate(input_at(start.shape, domain, flat)));
  };
  const int allowed = start.flat.size() <= most_numbers ? evaluations : 1;
  const Maximum top = maximise(severity, box(start.shape, domain), start.flat, allowed);
  PointInput input = input_at(start.shape, domain, top.at);
  const Outcome outcome = claim.evaluate(input);
  return {std::move(input), outcome};
}

bool worse(const End& a, const End& b) {
  if (a.outcome.trivial != b.outcome.trivial) return b.outcome.trivial;
  return assured_severity(a.outcome) > assured_severity(b.outcome);
}

}  // namespace

FoundInput search_worst(const PointwiseClaim& claim, const PointSearchOptions& options) {
  const std::vector<PointCell> grid = claim.grid(options.preset);
  assert(!grid.empty());
  const std::vector<Start> starts = make_starts(claim, shapes_of(grid, claim.domain()), options);
  std::uint64_t budget = 0;
  for (const PointCell& cell : grid) budget += cell.trials;
  const int evaluations =
      static_cast<int>(std::clamp<std::uint64_t>(budget / starts.size(), fewest_evaluations, most_evaluations));

  std::vector<End> ends(starts.size());
  for_blocks(starts.size(), options.stop, [&](std::uint64_t k) { ends[k] = climb(claim, starts[k], evaluations); });
  std::ranges::stable_sort(ends, worse);
  const PointInput& best = ends.front().input;
  ends.push_back(climb(claim, {best.shape, flatten(best, claim.domain())}, finish * evaluations));
  std::ranges::stable_sort(ends, worse);

  // Whether an end violates is decided in 168 bits; where none does, by what came closest without a doubt.
  std::optional<FoundInput> worst;
  for (const End& end : ends) {
    if (options.stop()) throw Stopped{};
    if (!end.outcome.violated() && worst) continue;
    FoundInput found{end.input, claim.evaluate_exactly(end.input)};
    if (end.outcome.violated() && !found.outcome.violated()) continue;
    if (!worst || !worst->outcome.violated() || found.outcome.severity() > worst->outcome.severity()) {
      worst = std::move(found);
    }
  }
  // Every end was a would-be violation that more digits do not confirm.
  if (!worst) worst = FoundInput{ends.front().input, claim.evaluate_exactly(ends.front().input)};
  return std::move(*worst);
}

}  // namespace headroom::verify
