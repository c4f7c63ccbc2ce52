#include "verify/attack/maximise.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <nlopt.hpp>
#include <utility>

namespace headroom::verify {
namespace {

// A finite stand-in for −∞, which a simplex can be ordered by.
constexpr double lowest = -std::numeric_limits<double>::max();

struct Search {
  const std::function<double(std::span<const double>)>& function;
  Maximum best;

  double evaluate(const std::vector<double>& at) {
    double value = function(at);
    if (!std::isfinite(value)) value = lowest;
    if (best.at.empty() || value > best.value) best = {at, value};
    return value;
  }
};

}  // namespace

Maximum maximise(const std::function<double(std::span<const double>)>& function, const Box& box,
                 std::vector<double> start, int evaluations) {
  assert(evaluations >= 1 && start.size() == box.lower.size());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = std::clamp(start[i], box.lower[i], box.upper[i]);
  Search search{function, {}};
  search.evaluate(start);
  if (evaluations == 1) return search.best;
  nlopt::opt optimizer(nlopt::LN_SBPLX, static_cast<unsigned>(start.size()));
  optimizer.set_lower_bounds(box.lower);
  optimizer.set_upper_bounds(box.upper);
  optimizer.set_maxeval(evaluations - 1);
  optimizer.set_xtol_rel(1e-12);
  optimizer.set_max_objective([](const std::vector<double>& at, std::vector<double>&,
                                 void* data) { return static_cast<Search*>(data)->evaluate(at); },
                              &search);
  try {
    double value = 0.0;
    optimizer.optimize(start, value);
  } catch (const nlopt::roundoff_limited&) {
    // No step is left that changes anything; the best point stands.
  }
  return std::move(search.best);
}

}  // namespace headroom::verify
