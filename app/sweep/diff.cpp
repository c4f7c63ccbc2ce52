#include <fmt/format.h>

#include <cmath>
#include <map>
#include <tuple>

#include "app/sweep/opened.hpp"
#include "app/sweep/pooled.hpp"
#include "app/sweep/results.hpp"
#include "core/error.hpp"
#include "verify/statistics/holm.hpp"

namespace headroom::app {
namespace {

constexpr double level = 0.01;

using Values = std::map<std::tuple<std::uint64_t, std::uint64_t, std::string>, verify::Moments>;

Values values_of(const OpenedSweep& sweep) {
  Values values;
  for_each_pooled(*sweep.plan, sweep.index, [&](const verify::sweep::GridWalk&, const PooledGroup& group) {
    for (const auto& [name, moments] : group.values) values[{group.cell, group.group, name}] = moments;
  });
  return values;
}

bool equal(const verify::Moments& a, const verify::Moments& b) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return a.count == b.count && same(a.mean, b.mean) && same(a.squared_deviations, b.squared_deviations);
}

double error_of(const verify::Moments& moments) { return moments.count < 2 ? 0 : moments.standard_error(); }

double p_value(const verify::Moments& a, const verify::Moments& b) {
  if (a.mean == b.mean || (std::isnan(a.mean) && std::isnan(b.mean))) return 1;
  const double error = std::hypot(error_of(a), error_of(b));
  const double z = std::abs(a.mean - b.mean) / error;
  return std::isnan(z) ? 0 : std::erfc(z / std::sqrt(2.0));
}

}  // namespace

SweepDifference diff_sweeps(const std::string& first, const std::string& second) {
  const auto a = open_sweep(first);
  const auto b = open_sweep(second);
  const Values of_b = values_of(*b);
  std::size_t common = 0;
  std::size_t identical = 0;
  std::size_t only_first = 0;
  std::vector<double> p_values;
  std::vector<std::string> lines;
  for_each_pooled(*a->plan, a->index, [&](const verify::sweep::GridWalk& walk, const PooledGroup& group) {
    for (const auto& [name, moments] : group.values) {
      const auto other = of_b.find({group.cell, group.group, name});
      if (other == of_b.end()) {
        ++only_first;
        continue;
      }
      ++common;
      if (equal(moments, other->second)) ++identical;
      p_values.push_back(p_value(moments, other->second));
      lines.push_back(fmt::format("{}{}: {:.6g} ± {:.2g} and {:.6g} ± {:.2g}, p = {:.2g}\n",
                                  cell_label(*a->plan, walk, group.group), name, moments.mean, error_of(moments),
                                  other->second.mean, error_of(other->second), p_values.back()));
    }
  });
  if (common == 0) {
    throw_input("the two have no value in common: " +
                    (a->file.grid.kind == b->file.grid.kind
                         ? "no cell was computed in both"
                         : a->file.grid.kind + " and " + b->file.grid.kind + " are grids of two kinds"),
                first + " and " + second, "name two sweeps that share cells");
  }
  SweepDifference difference;
  const std::vector<bool> rejected = verify::holm_rejected(p_values, level);
  for (std::size_t k = 0; k < rejected.size(); ++k) {
    if (!rejected[k]) continue;
    ++difference.different;
    difference.text += lines[k];
  }
  difference.text += fmt::format("{} values in both: {} the same to the last bit, {} differ beyond their errors\n",
                                 common, identical, difference.different);
  if (only_first > 0) difference.text += fmt::format("{} only in {}\n", only_first, first);
  if (of_b.size() > common) difference.text += fmt::format("{} only in {}\n", of_b.size() - common, second);
  return difference;
}

}  // namespace headroom::app
