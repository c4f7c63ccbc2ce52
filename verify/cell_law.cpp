#include "verify/cell_law.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/parallel_failure.hpp"
#include "sim/hash.hpp"
#include "sim/random.hpp"

namespace headroom::verify {
namespace {

/// The last value of [first, limit] that `holds` before it first does not; doubling, then bisection. Nothing when it
/// does not hold at `first`.
std::optional<std::size_t> last_that_holds(std::size_t first, std::size_t limit,
                                           const std::function<bool(std::size_t)>& holds) {
  if (!holds(first)) return std::nullopt;
  std::size_t good = first;
  std::size_t bad = limit + 1;
  for (std::size_t next = std::min(2 * first, limit); good < limit; next = std::min(2 * next, limit)) {
    if (!holds(next)) {
      bad = next;
      break;
    }
    good = next;
  }
  while (bad - good > 1) {
    const std::size_t middle = good + (bad - good) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

void check_fraction(double fraction) {
  if (!(fraction > 0 && fraction <= 1)) {
    throw_usage("the fraction is not one that can be separated", "--fraction", "0 < p <= 1");
  }
}

}  // namespace

CellLaw::CellLaw(Options options, std::shared_ptr<const sim::LogitModel> recorded, std::function<void()> drawn)
    : options_(std::move(options)), recorded_(std::move(recorded)), drawn_(std::move(drawn)) {
  if (options_.draws == 0) throw_usage("no draws leave nothing to average", "--draws", "at least 1");
  const auto normalizer = sim::make_normalizer(options_.normalizer);
  if (!normalizer->nonnegative()) {
    throw_usage(normalizer->name() + " gives negative weights, for which N_s is not defined", "--normalizer",
                "choose one of the others in list normalizers");
  }
}

Moments CellLaw::separable(std::size_t length, std::size_t dim, std::size_t top) const {
  CellParameters parameters;
  parameters.length = length;
  parameters.dim = dim;
  parameters.tops = {top};
  parameters.quantities = {Quantity::separable};
  parameters.logits = options_.logits;
  parameters.normalizer = options_.normalizer;
  parameters.temperature = options_.temperature;
  const Cell cell(parameters, recorded_);
  // Neither L, d nor N is part of the key: a longer row continues a shorter one.
  const std::uint64_t key = sim::hash64("law;logits=" + cell.parameters().logits);
  const theory::ResolutionLaw law(dim, {.tolerance = 1e-4, .refined = true});
  std::vector<double> values(options_.draws);
  ParallelFailure failure;
#pragma omp parallel
  {
    std::vector<double> weights(length);
#pragma omp for schedule(dynamic)
    for (std::ptrdiff_t draw = 0; draw < static_cast<std::ptrdiff_t>(values.size()); ++draw) {
      const auto at = static_cast<std::size_t>(draw);
      failure.guard([&] {
        sim::Stream stream(options_.seed, key, at);
        cell.logits().fill(stream, weights);
        cell.normalizer().weights(weights, options_.temperature, weights);
        std::sort(weights.begin(), weights.end(), std::greater<>());
        values[at] = law.separable(weights, top);
        if (drawn_) drawn_();
      });
    }
  }
  failure.rethrow();
  Moments moments;
  for (const double value : values) moments.add(value);
  return moments;
}

std::optional<CellLaw::Answer> CellLaw::largest_top(std::size_t length, std::size_t dim, double fraction) const {
  check_fraction(fraction);
  const auto at = [&](std::size_t top) { return separable(length, dim, top); };
  const auto top = last_that_holds(1, length - 1, [&](std::size_t n) { return at(n).mean >= fraction; });
  if (!top) return std::nullopt;
  return Answer{*top, at(*top), *top == length - 1};
}

std::optional<CellLaw::Answer> CellLaw::largest_length(std::size_t dim, std::size_t top, double fraction) const {
  check_fraction(fraction);
  const auto at = [&](std::size_t length) { return separable(length, dim, top); };
  const auto length = last_that_holds(top + 1, length_limit, [&](std::size_t n) { return at(n).mean >= fraction; });
  if (!length) return std::nullopt;
  return Answer{*length, at(*length), *length == length_limit};
}

std::optional<CellLaw::Answer> CellLaw::smallest_dim(std::size_t length, std::size_t top, double fraction) const {
  check_fraction(fraction);
  const auto at = [&](std::size_t dim) { return separable(length, dim, top); };
  const auto too_few = last_that_holds(2, dim_limit, [&](std::size_t d) { return !(at(d).mean >= fraction); });
  if (too_few && *too_few == dim_limit) return std::nullopt;
  const std::size_t dim = too_few ? *too_few + 1 : 2;
  return Answer{dim, at(dim), false};
}

}  // namespace headroom::verify
