#include "verify/claims/asymptotic.hpp"

#include <algorithm>
#include <cmath>

#include "verify/statistics/power.hpp"

namespace headroom::verify {
namespace {

constexpr std::uint64_t pilot_trials = 256;
constexpr std::uint64_t most_trials = 4'000'000;
constexpr double least_p = 1e-12;

struct Fit {
  double estimate;
  Interval interval;
};

Fit fit(const Series& series, const GrowingGrid& grid, double confidence) {
  if (series.form == Series::Form::exponent) {
    const PowerLawFit law = fit_power_law(grid, confidence);
    return {law.exponent, law.interval};
  }
  const LimitFit limit = fit_limit(grid, confidence, series.rates);
  return {limit.limit, limit.interval};
}

// Trials after which a change of the mean by the violation asked for would show.
std::uint64_t choose_trials(const Moments& pilot, const RunContext& context) {
  const double shift = detectable_violation(context.preset) * std::abs(pilot.mean);
  if (!(pilot.standard_deviation() > 0.0)) return 2;
  if (!(shift > 0.0)) return pilot_trials;
  const double rough = std::pow(6.0 * pilot.standard_deviation() / shift, 2);
  if (rough > static_cast<double>(most_trials)) return most_trials;
  return std::max(pilot_trials, trials_needed({context.level, pilot.standard_deviation()}, shift, 0.95));
}

}  // namespace

double p_stated(const Series& series, const GrowingGrid& grid) {
  const bool one_sided = series.stated == Series::Stated::negative;
  const auto excluded = [&](double p) {
    const Interval interval = fit(series, grid, 1.0 - p).interval;
    return one_sided ? interval.lower >= 0.0 : !interval.contains(series.value);
  };
  if (excluded(least_p)) return least_p;
  double low = std::log(least_p);
  double high = 0.0;
  for (int halving = 0; halving < 30; ++halving) {
    const double middle = 0.5 * (low + high);
    (excluded(std::exp(middle)) ? high : low) = middle;
  }
  return std::exp(high) * (one_sided ? 0.5 : 1.0);
}

std::size_t AsymptoticClaim::hypotheses(Preset preset) const {
  const std::vector<Series> series = grid_(preset);
  return static_cast<std::size_t>(
      std::ranges::count_if(series, [](const Series& one) { return one.stated != Series::Stated::nothing; }));
}

ClaimResult AsymptoticClaim::run(const RunContext& context) const {
  ClaimResult result;
  result.id = id();
  double worst_p = 2.0;
  for (const Series& series : grid_(context.preset)) {
    std::vector<double> y;
    std::vector<double> error;
    for (const MeanCell& cell : series.cells) {
      const CellRecord pilot =
          run_cell(cell, pilot_trials, context.seed, stream_key(id() + "/pilot", cell.parameters), context.stop);
      const std::uint64_t trials = choose_trials(pilot.measured.front().second, context);
      CellRecord record = run_cell(cell, trials, context.seed, stream_key(id(), cell.parameters), context.stop);
      record.claim = id();
      y.push_back(record.measured.front().second.mean);
      error.push_back(record.measured.front().second.standard_error());
      result.trials += record.trials;
      context.finished(record);
      result.cells.push_back(std::move(record));
    }
    // What is computed and not drawn has no errors; the scatter about the curve is then all there is.
    if (std::ranges::all_of(error, [](double e) { return e == 0.0; })) error.clear();
    const GrowingGrid grid{series.x, y, error};
    FitRecord record;
    record.parameters = series.parameters;
    record.quantity = series.form == Series::Form::limit ? "limit" : "exponent";
    const Fit shown = fit(series, grid, 0.95);
    record.estimate = shown.estimate;
    record.interval = shown.interval;
    if (series.stated != Series::Stated::nothing) {
      record.stated = series.value;
      record.hypothesis = {record.quantity, p_stated(series, grid), {}};
      result.hypotheses.push_back(record.hypothesis);
      result.hypothesis_cell.push_back(ClaimResult::no_cell);
      if (record.hypothesis.p_value < worst_p) {
        worst_p = record.hypothesis.p_value;
        result.worst = WorstCase{series.parameters, record.quantity, record.estimate, series.value};
      }
    }
    result.fits.push_back(std::move(record));
  }
  return result;
}

}  // namespace headroom::verify
