#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "app/plot/heat_map.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// One column of a table of heads as a map, layer by head, of the rows chosen; a head without one stays white.
[[nodiscard]] plot::HeatMap head_grid(const Table& heads, const std::string& column,
                                      const std::function<bool(std::size_t row)>& chosen);

}  // namespace headroom::app
