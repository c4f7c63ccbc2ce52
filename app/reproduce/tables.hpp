#pragma once

#include <span>

#include "app/reproduce/grids.hpp"
#include "app/reproduce/head_record.hpp"
#include "app/table.hpp"

namespace headroom::app {

// The tables that docs/reproduce.md describes, from the heads' records. Cells with N ≥ L are left out.

[[nodiscard]] Table figure2a_table(std::span<const HeadRecord> heads, const Grids& grids);
[[nodiscard]] Table figure2b_table(std::span<const HeadRecord> heads, const Grids& grids);
[[nodiscard]] Table figure2c_table(std::span<const HeadRecord> heads, const Grids& grids);
[[nodiscard]] Table figure3_table(std::span<const HeadRecord> heads, const Grids& grids);
[[nodiscard]] Table figure4_table(std::span<const HeadRecord> heads, const Grids& grids);
[[nodiscard]] Table heads_table(std::span<const HeadRecord> heads, const Grids& grids);

}  // namespace headroom::app
