#pragma once

#include <vector>

#include "app/plot/drawing.hpp"

namespace headroom::app::plot {

enum class Marker { none, circle, square, triangle, diamond };

/// A marker at a place; shape tells series apart where colour cannot. Open ones are white inside.
void draw_marker(std::vector<Shape>& shapes, Marker marker, Point at, Colour colour, bool open);

}  // namespace headroom::app::plot
