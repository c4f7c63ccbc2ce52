#pragma once

#include <vector>

#include "app/plot/drawing.hpp"

namespace headroom::app::plot {

/// Finds room for labels among what is already drawn.
class Placement {
 public:
  /// Labels stay inside `area`.
  explicit Placement(Rect area) : area_(area) {}

  /// Lines and outlines that labels should not cross, labels that they must not.
  void avoid_point(Point p) { ink_.push_back(p); }
  void avoid_line(const std::vector<Point>& points);
  void avoid_text(const Rect& rect) { texts_.push_back(rect); }

  /// `label` moved to where it covers the least along the line `along`: above, below or beside it. Of equally good
  /// places the rightmost wins. The label is then avoided itself.
  Text place(Text label, const std::vector<Point>& along);

 private:
  [[nodiscard]] double cost(const Rect& rect) const;

  Rect area_;
  std::vector<Point> ink_;
  std::vector<Rect> texts_;
};

}  // namespace headroom::app::plot
