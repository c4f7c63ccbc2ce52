#pragma once

#include <functional>

#include "verify/claims/expectation.hpp"

namespace headroom::verify {

struct CellSearchOptions {
  Preset preset = Preset::quick;
  std::uint64_t seed = 1;
  std::function<bool()> stop = [] { return false; };
};

/// The cell of a space where a claim about means seems to fail most: maximises cell_margin() over the axes by
/// maximise(), from the best of 32 random points. All cells are run on the same random streams, so that the margin is a
/// deterministic function of the axes; it is biased upwards by the choice, and the cell has to be run again on streams
/// of its own. Throws Stopped. Requires axes.
[[nodiscard]] MeanCell search_cell(const CellSpace& space, std::uint64_t key, const CellSearchOptions& options);

}  // namespace headroom::verify
