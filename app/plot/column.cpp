#include "app/plot/column.hpp"

#include <string>

namespace headroom::app::plot {

double draw_heading(Drawing& drawing) {
  double y = kMargin + kTitleSize;
  Text title{{kMargin, y}, elide(drawing.title, kTitleSize * 1.1, kColumnWidth - 2 * kMargin), kTitleSize};
  title.bold = true;
  drawing.shapes.emplace_back(title);
  for (const std::string& line : wrap(drawing.description, kSmallSize, kColumnWidth - 2 * kMargin)) {
    y += kSmallSize * kLineSpacing;
    drawing.shapes.emplace_back(Text{{kMargin, y}, line, kSmallSize});
  }
  return y;
}

}  // namespace headroom::app::plot
