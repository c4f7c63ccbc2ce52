#pragma once

#include <optional>
#include <vector>

#include "app/plot/drawing.hpp"
#include "app/plot/marker.hpp"

namespace headroom::app::plot {

/// One entry of a legend: a sample of what stands in the plot, and its name.
struct Key {
  RichText label;
  std::optional<Stroke> line;
  Marker marker = Marker::none;
  bool open = false;
  std::optional<Fill> area;  // a band, or a box when `line` is there too
};

/// Groups of entries; each begins on a line of its own.
using Legend = std::vector<std::vector<Key>>;

/// Draws the entries in aligned columns from `top` down, as many columns as fit between `left` and `right`. The legend
/// stands outside the plot, so it never covers data. Returns where it ends.
double draw_legend(std::vector<Shape>& shapes, const Legend& legend, double left, double right, double top);

}  // namespace headroom::app::plot
