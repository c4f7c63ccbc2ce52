#pragma once

#include "app/plot/drawing.hpp"

namespace headroom::app::plot {

/// What every figure for one column of a paper has in common, in points.
inline constexpr double kColumnWidth = 241;  ///< 85 mm
inline constexpr double kMargin = 4;
inline constexpr double kTitleSize = 8.6;
inline constexpr double kAxisSize = 7.6;
inline constexpr double kTickSize = 7;
inline constexpr double kSmallSize = 6.6;     ///< of what explains
inline constexpr double kLineSpacing = 1.25;  ///< of the font size

/// Writes a drawing's title and below it its description, wrapped to the column. Returns the last baseline.
double draw_heading(Drawing& drawing);

}  // namespace headroom::app::plot
