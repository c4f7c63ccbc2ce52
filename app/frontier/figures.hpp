#pragma once

#include "app/frontier/grid.hpp"
#include "app/plot/drawing.hpp"

namespace headroom::app {

/// ‖J‖₂ over the margin at the largest length, a line per normalizer, the weights asked for marked on it.
/// @param table frontier_table   @param curves frontier_curves of the same grid
[[nodiscard]] plot::Drawing frontier_figure(const Table& table, const Table& curves, const FrontierGrid& grid);

/// The margin for the middle weight over the length, a line per normalizer.
[[nodiscard]] plot::Drawing margin_figure(const Table& curves, const FrontierGrid& grid);

}  // namespace headroom::app
