#include "app/plot/marker.hpp"

namespace headroom::app::plot {
namespace {

// Half sizes chosen so that the four shapes cover about the same area.
constexpr double kRadius = 1.9;
constexpr double kSquare = 1.7;
constexpr double kTriangle = 2.3;
constexpr double kDiamond = 2.3;
constexpr double kOutline = 0.9;

std::vector<Point> outline(Marker marker, Point at) {
  switch (marker) {
    case Marker::square:
      return {{at.x - kSquare, at.y - kSquare},
              {at.x + kSquare, at.y - kSquare},
              {at.x + kSquare, at.y + kSquare},
              {at.x - kSquare, at.y + kSquare}};
    case Marker::triangle:
      return {{at.x, at.y - kTriangle},
              {at.x + kTriangle, at.y + 0.75 * kTriangle},
              {at.x - kTriangle, at.y + 0.75 * kTriangle}};
    case Marker::diamond:
      return {{at.x, at.y - kDiamond}, {at.x + kDiamond, at.y}, {at.x, at.y + kDiamond}, {at.x - kDiamond, at.y}};
    case Marker::none:
    case Marker::circle:
      break;
  }
  return {};
}

}  // namespace

void draw_marker(std::vector<Shape>& shapes, Marker marker, Point at, Colour colour, bool open) {
  if (marker == Marker::none) return;
  // A white edge keeps markers apart where they meet.
  const Stroke edge = open ? Stroke{colour, kOutline} : Stroke{palette::paper, 0.4};
  const Fill inside{open ? palette::paper : colour};
  if (marker == Marker::circle) {
    shapes.emplace_back(Circle{at, kRadius, edge, inside});
  } else {
    shapes.emplace_back(Path{outline(marker, at), true, edge, inside});
  }
}

}  // namespace headroom::app::plot
