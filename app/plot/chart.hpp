#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/plot/box.hpp"
#include "app/plot/drawing.hpp"
#include "app/plot/legend.hpp"
#include "app/plot/marker.hpp"
#include "app/plot/scale.hpp"

namespace headroom::app::plot {

struct Axis {
  RichText label;
  Scale::Kind kind = Scale::Kind::linear;
  std::optional<double> low;     // else from the data
  std::optional<double> high;    // else from the data
  std::vector<double> labelled;  // the ticks, where the values are a grid of a few; else chosen
};

/// A line through points in data units, with a marker at each. Points that have no place on the axes (NaN, infinite, or
/// not positive on a logarithmic axis) interrupt it.
struct Line {
  std::vector<Point> points;
  std::optional<Stroke> stroke;
  Marker marker = Marker::none;
  Colour marker_colour = palette::ink;
  bool open = false;
  RichText label;  // written beside the line, where it covers the least
};

/// The area between two lines; where the lower one has no place it reaches down to the axis.
struct Band {
  std::vector<double> x;
  std::vector<double> low;
  std::vector<double> high;
  Fill fill;
};

/// Box plots side by side.
struct Boxes {
  std::vector<double> x;
  std::vector<BoxSummary> summaries;  // one per x
  Colour colour;
};

/// Vertical error bars with a cap at each end; an end that has no place on the axis is open and reaches its edge.
struct ErrorBars {
  struct Bar {
    double x = 0;
    double low = 0;
    double high = 0;
  };
  std::vector<Bar> bars;
  Colour colour;
};

using Layer = std::variant<Band, Line, Boxes, ErrorBars>;

/// A figure for one column of a paper: title, subtitle and legend above the plot, caption below, wrapped to the width.
struct Chart {
  std::string title;
  std::string subtitle;
  std::string caption;
  Axis x;
  Axis y;
  std::vector<Layer> layers;  // painted in order
  Legend legend;
};

[[nodiscard]] Drawing draw(const Chart& chart);

}  // namespace headroom::app::plot
