#pragma once

#include "app/figures.hpp"
#include "app/json.hpp"

namespace headroom::app {

/// What run.json says of the origin of figures: model, text, length, heads, windows; null and what it lacks say less.
[[nodiscard]] FigureContext run_context(const Json& run);

}  // namespace headroom::app
