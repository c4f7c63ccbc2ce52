#include "verify/attack/cell_search.hpp"

#include <cassert>
#include <cmath>

#include "verify/attack/maximise.hpp"

namespace headroom::verify {
namespace {

constexpr std::size_t starts = 32;

int evaluations(Preset preset) { return preset == Preset::quick ? 40 : preset == Preset::paper ? 200 : 1'000; }
std::uint64_t trials(Preset preset) { return preset == Preset::quick ? 16 : preset == Preset::paper ? 64 : 256; }

// A point of the unit cube as values of the axes.
std::vector<double> values_at(const std::vector<Axis>& axes, std::span<const double> unit) {
  std::vector<double> values;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const Axis& axis = axes[k];
    const double value = axis.logarithmic ? axis.lower * std::pow(axis.upper / axis.lower, unit[k])
                                          : axis.lower + (axis.upper - axis.lower) * unit[k];
    values.push_back(axis.integer ? std::round(value) : value);
  }
  return values;
}

}  // namespace

MeanCell search_cell(const CellSpace& space, std::uint64_t key, const CellSearchOptions& options) {
  assert(!space.axes.empty());
  const std::size_t dim = space.axes.size();
  const auto margin = [&](std::span<const double> unit) {
    const MeanCell cell = space.cell(values_at(space.axes, unit));
    return cell_margin(run_cell(cell, trials(options.preset), options.seed, key, options.stop)).margin;
  };
  Maximum best;
  for (std::size_t k = 0; k < starts; ++k) {
    sim::Stream stream(options.seed, key ^ 1U, k);
    Maximum point{std::vector<double>(dim), 0.0};
    for (double& coordinate : point.at) coordinate = stream.uniform();
    point.value = margin(point.at);
    if (best.at.empty() || point.value > best.value) best = std::move(point);
  }
  const Box cube{std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0)};
  best = maximise(margin, cube, std::move(best.at), evaluations(options.preset));
  return space.cell(values_at(space.axes, best.at));
}

}  // namespace headroom::verify
