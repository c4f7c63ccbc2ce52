#pragma once

#include <string>
#include <vector>

#include "app/plot/drawing.hpp"
#include "app/plot/text.hpp"

namespace headroom::app::plot {

/// A grid of coloured cells for one column of a paper: title and subtitle above, a scale of colours at the right.
struct HeatMap {
  std::string title;
  std::string subtitle;
  RichText x_label;
  RichText y_label;
  std::vector<std::string> x;               // names of the columns
  std::vector<std::string> y;               // names of the rows, the first one at the top
  std::vector<std::vector<double>> values;  // of each row; a cell that is not finite stays white
};

/// A colour between dark blue (0) and light yellow (1): the scale "cividis" of Nuñez, Anderton and Renslow (2018),
/// whose lightness grows evenly with and without colour blindness, by linear interpolation between nine of its colours.
[[nodiscard]] Colour cividis(double share);

[[nodiscard]] Drawing draw(const HeatMap& map);

}  // namespace headroom::app::plot
