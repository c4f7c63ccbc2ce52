#pragma once

#include <cstddef>

#include "app/figures/common.hpp"

namespace headroom::app::figures {

/// How the i-th of many series looks: six colours, solid first, then dashed, then dotted; and a marker that changes
/// with the colour.
[[nodiscard]] Look series_look(std::size_t i);

}  // namespace headroom::app::figures
