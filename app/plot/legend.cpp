#include "app/plot/legend.hpp"

#include <algorithm>

namespace headroom::app::plot {
namespace {

constexpr double kSize = 6.8;
constexpr double kRow = 9.5;
constexpr double kSample = 15;
constexpr double kGap = 3;
constexpr double kColumnGap = 9;

std::vector<double> column_widths(const Legend& legend, std::size_t columns) {
  std::vector<double> widths(columns, 0);
  for (const std::vector<Key>& group : legend) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      double& width = widths[i % columns];
      width = std::max(width, kSample + kGap + text_width(group[i].label, kSize));
    }
  }
  return widths;
}

double total(const std::vector<double>& widths) {
  double sum = -kColumnGap;
  for (const double width : widths) sum += width + kColumnGap;
  return sum;
}

void draw_sample(std::vector<Shape>& shapes, const Key& key, double x, double middle) {
  if (key.area) {
    const double half = 2.8;
    const Rect r{x, middle - half, kSample, 2 * half};
    const Path area{
        {{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}}, true, key.line, key.area};
    shapes.emplace_back(area);
  }
  if (key.line) shapes.emplace_back(Path{{{x, middle}, {x + kSample, middle}}, false, key.line, std::nullopt});
  const Colour colour = key.line ? key.line->colour : palette::ink;
  draw_marker(shapes, key.marker, {x + kSample / 2, middle}, colour, key.open);
}

}  // namespace

double draw_legend(std::vector<Shape>& shapes, const Legend& legend, double left, double right, double top) {
  std::size_t columns = 1;
  for (const std::vector<Key>& group : legend) columns = std::max(columns, group.size());
  while (columns > 1 && total(column_widths(legend, columns)) > right - left) --columns;
  const std::vector<double> widths = column_widths(legend, columns);
  for (const std::vector<Key>& group : legend) {
    if (group.empty()) continue;
    double x = left;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::size_t column = i % columns;
      if (column == 0 && i > 0) {
        x = left;
        top += kRow;
      }
      const double middle = top + kRow / 2;
      draw_sample(shapes, group[i], x, middle);
      shapes.emplace_back(Text{{x + kSample + kGap, middle + 0.36 * kSize}, group[i].label, kSize});
      x += widths[column] + kColumnGap;
    }
    top += kRow;
  }
  return top;
}

}  // namespace headroom::app::plot
