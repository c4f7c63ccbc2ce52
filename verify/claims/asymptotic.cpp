#include "verify/claims/asymptotic.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headroom::verify {
namespace {

constexpr std::uint64_t pilot_trials = 128;
constexpr std::uint64_t most_trials = 1'000'000;
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

// Relative standard error of each mean.
constexpr double relative_error = 0.01;

// Trials after which the mean is known that well.
std::uint64_t choose_trials(const Moments& pilot) {
  const double error = relative_error * std::abs(pilot.mean);
  if (!(error > 0.0)) return pilot_trials;
  const double needed = std::ceil(std::pow(pilot.standard_deviation() / error, 2));
  return std::clamp(static_cast<std::uint64_t>(std::min(needed, 1e15)), pilot_trials, most_trials);
}

}  // namespace

Interval aitken_interval(std::span<const double> y) {
  assert(y.size() >= 4);
  const auto extrapolated = [&](std::size_t last) {
    const double step = y[last] - y[last - 1];
    const double bend = step - (y[last - 1] - y[last - 2]);
    return bend == 0.0 ? y[last] : y[last] - step * step / bend;
  };
  const double limit = extrapolated(y.size() - 1);
  const double change = 3.0 * std::abs(limit - extrapolated(y.size() - 2));
  return {limit - change, limit + change};
}

std::vector<std::size_t> growing_lengths(std::size_t from, std::size_t to) {
  std::vector<std::size_t> lengths;
  for (int half = 0;; ++half) {
    const double length = static_cast<double>(from) * std::exp2(0.5 * half);
    if (std::round(length) > static_cast<double>(to)) return lengths;
    lengths.push_back(static_cast<std::size_t>(std::lround(length)));
  }
}

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

namespace {

// The means of one series, and what is extrapolated from them.
class Extrapolation {
 public:
  Extrapolation(const Series& series, const std::vector<CellRecord>& cells, std::size_t which) : series_(series) {
    for (const CellRecord& cell : cells) {
      y_.push_back(cell.measured[which].second.mean);
      error_.push_back(cell.measured[which].second.standard_error());
    }
    computed_ = std::ranges::none_of(series.cells, [](const MeanCell& cell) { return cell.drawn; });
  }

  [[nodiscard]] FitRecord record(const std::string& of) const {
    FitRecord record;
    record.parameters = series_.parameters;
    record.quantity = (series_.form == Series::Form::limit ? "limit of " : "exponent of ") + of;
    if (computed_) {
      record.interval = aitken_interval(y_);
      record.estimate = 0.5 * (record.interval.lower + record.interval.upper);
    } else {
      const Fit shown = fit(series_, grid(), 0.95);
      record.estimate = shown.estimate;
      record.interval = shown.interval;
    }
    return record;
  }

  // Where nothing is drawn the stated limit is inside the interval or not: no chance is involved.
  [[nodiscard]] double p_value() const {
    if (computed_) return aitken_interval(y_).contains(series_.value) ? 1.0 : 0.0;
    return p_stated(series_, grid());
  }

 private:
  [[nodiscard]] GrowingGrid grid() const { return {series_.x, y_, error_}; }

  const Series& series_;
  std::vector<double> y_, error_;
  bool computed_ = false;
};

}  // namespace

ClaimResult AsymptoticClaim::run(const RunContext& context) const {
  ClaimResult result;
  result.id = id();
  double worst_p = 2.0;
  for (const Series& series : grid_(context.preset)) {
    std::vector<CellRecord> cells;
    for (const MeanCell& cell : series.cells) {
      std::uint64_t trials = 2;
      if (cell.drawn) {
        const CellRecord pilot =
            run_cell(cell, pilot_trials, context.seed, stream_key(id() + "/pilot", cell.parameters), context.stop);
        trials = choose_trials(pilot.measured.front().second);
      }
      cells.push_back(run_cell(cell, trials, context.seed, stream_key(id(), cell.parameters), context.stop));
      cells.back().claim = id();
      result.trials += cells.back().trials;
      context.finished(cells.back());
    }
    for (std::size_t which = 0; which < cells.front().measured.size(); ++which) {
      const Extrapolation extrapolation(series, cells, which);
      FitRecord record = extrapolation.record(cells.front().measured[which].first);
      if (which == 0 && series.stated != Series::Stated::nothing) {
        record.stated = series.value;
        record.hypothesis = {record.quantity, extrapolation.p_value(), {}};
        result.hypotheses.push_back(record.hypothesis);
        result.hypothesis_cell.push_back(ClaimResult::no_cell);
        if (record.hypothesis.p_value < worst_p) {
          worst_p = record.hypothesis.p_value;
          result.worst = WorstCase{series.parameters, record.quantity, record.estimate, series.value};
        }
      }
      result.fits.push_back(std::move(record));
    }
    result.cells.insert(result.cells.end(), cells.begin(), cells.end());
  }
  return result;
}

}  // namespace headroom::verify
