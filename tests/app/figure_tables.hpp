#pragma once

#include "app/figures.hpp"
#include "app/table.hpp"

namespace headroom::app::test {

/// Tables of the size and shape that a run on a model of 12 × 12 heads gives: growth and levels as measured there,
/// scatter over heads drawn with a fixed seed.
[[nodiscard]] Table figure2a_table();
[[nodiscard]] Table figure2b_table();
[[nodiscard]] Table figure2c_table();
[[nodiscard]] Table figure3_table();
[[nodiscard]] Table figure4_table();
[[nodiscard]] FigureContext figure_context();

}  // namespace headroom::app::test
