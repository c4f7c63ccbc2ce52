#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/plot/text.hpp"

namespace headroom::app::plot {

/// What a page holds before it is written as SVG: shapes in points (1/72 inch), y downwards, painted in order.
/// Kept apart from the writer so that layout can be tested and other formats can be written from the same drawing.

struct Point {
  double x = 0;
  double y = 0;
};

struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  [[nodiscard]] double right() const { return x + width; }
  [[nodiscard]] double bottom() const { return y + height; }
  [[nodiscard]] bool contains(Point p) const { return p.x >= x && p.x <= right() && p.y >= y && p.y <= bottom(); }
  [[nodiscard]] bool overlaps(const Rect& other) const {
    return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
  }
};

/// 0xRRGGBB
struct Colour {
  std::uint32_t rgb = 0;
};

/// The palette of Okabe and Ito, told apart with every common kind of colour blindness (yellow left out: it is lost on
/// white), and greys for what is not data.
namespace palette {
inline constexpr Colour black{0x000000};
inline constexpr Colour orange{0xE69F00};
inline constexpr Colour sky{0x56B4E9};
inline constexpr Colour green{0x009E73};
inline constexpr Colour blue{0x0072B2};
inline constexpr Colour vermilion{0xD55E00};
inline constexpr Colour purple{0xCC79A7};
inline constexpr Colour ink{0x222222};
inline constexpr Colour grey{0x666666};
inline constexpr Colour grid{0xE3E3E3};
inline constexpr Colour paper{0xFFFFFF};
}  // namespace palette

enum class Dash { solid, dashed, dotted };

struct Stroke {
  Colour colour;
  double width = 1;
  Dash dash = Dash::solid;
};

struct Fill {
  Colour colour;
  double opacity = 1;
};

struct Path {
  std::vector<Point> points;
  bool closed = false;
  std::optional<Stroke> stroke;
  std::optional<Fill> fill;
};

struct Circle {
  Point centre;
  double radius = 1;
  std::optional<Stroke> stroke;
  std::optional<Fill> fill;
};

struct Text {
  enum class Anchor { start, middle, end };
  Point at;  // on the baseline
  RichText text;
  double size = 7;
  Anchor anchor = Anchor::start;
  Colour colour = palette::ink;
  bool bold = false;
  bool upwards = false;  // read from bottom to top
  bool halo = false;     // edged in white, for a label inside the plot
};

/// What follows is cut off at the rectangle, until EndClip. Not nested.
struct BeginClip {
  Rect rect;
};
struct EndClip {};

using Shape = std::variant<Path, Circle, Text, BeginClip, EndClip>;

struct Drawing {
  std::string title;        // for screen readers
  std::string description;  // for screen readers
  double width = 0;
  double height = 0;
  std::vector<Shape> shapes;
};

/// The box a text covers: from the top of its capitals to below its descenders, exponents included.
[[nodiscard]] Rect extent(const Text& text);

}  // namespace headroom::app::plot
