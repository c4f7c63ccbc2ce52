#pragma once

#include <vector>

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

/// The table as a run over several windows has it, `columns` being those of its figure then: intervals of ± 7 %, and
/// critical N from 0.7 to 1.4 times that of the pooled means.
[[nodiscard]] Table over_windows(const Table& table, std::vector<Column> columns);

}  // namespace headroom::app::test
