#include "app/plot/drawing.hpp"

namespace headroom::app::plot {
namespace {

// Fractions of the font size that hold for the usual sans-serif fonts.
constexpr double kAscent = 0.76;
constexpr double kDescent = 0.22;
constexpr double kBoldWidth = 1.1;

}  // namespace

Rect extent(const Text& text) {
  const double width = text_width(text.text, text.size) * (text.bold ? kBoldWidth : 1);
  double before = 0;
  if (text.anchor == Text::Anchor::middle) before = width / 2;
  if (text.anchor == Text::Anchor::end) before = width;
  const double height = (kAscent + kDescent) * text.size;
  if (text.upwards) return {text.at.x - kAscent * text.size, text.at.y - (width - before), height, width};
  return {text.at.x - before, text.at.y - kAscent * text.size, width, height};
}

}  // namespace headroom::app::plot
