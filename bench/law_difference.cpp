#include "bench/law_difference.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "verify/cell_draw.hpp"
#include "verify/cell_projection.hpp"

namespace headroom::bench {

LawDifference law_difference(const LawCell& at, std::size_t top, const Laws& laws, std::uint64_t seed,
                             std::size_t draws, std::size_t vectors) {
  verify::CellParameters parameters;
  parameters.length = at.length;
  parameters.dim = at.dim;
  parameters.tops = {top};
  parameters.quantities = {verify::Quantity::separable};
  parameters.logits = at.logits;
  parameters.sampler = "projected";
  const verify::Cell cell(parameters);
  verify::CellDraw draw(cell);
  verify::CellRow row(cell, nullptr);
  verify::CellProjection projection(cell);
  LawDifference result;
  result.top = top;
  std::vector<double> weights(at.length);
  for (std::size_t d = 0; d < draws; ++d) {
    draw.weights(seed, d);
    const std::span<const double> drawn = draw.head().weights.row(0);
    row.load(drawn);
    row.select(top);
    double sum = 0;
    for (std::size_t v = 0; v < vectors; ++v) {
      double separable = 0;
      row.evaluate(0, projection.draw(seed, d * vectors + v, 0, row.selected(), row.alpha()), {&separable, 1});
      sum += separable;
    }
    const double mean = sum / static_cast<double>(vectors);
    weights.assign(drawn.begin(), drawn.end());
    std::sort(weights.begin(), weights.end(), std::greater<>());
    result.simulated.add(mean);
    result.plain.add(laws.plain.separable(weights, top) - mean);
    result.refined.add(laws.refined.separable(weights, top) - mean);
  }
  return result;
}

}  // namespace headroom::bench
