#include "app/plot/placement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::app::plot {
namespace {

constexpr double kStep = 1.5;       // points between the samples of a line
constexpr double kClearance = 1.2;  // points between a label and what it must not touch
constexpr double kOutside = 1e6;    // cost of leaving the area or covering a label: never, if anything else is left
constexpr double kFarther = 0.25;   // cost of a step away from the line, against that of a covered sample
constexpr int kDistances = 4;       // steps away from the line that are tried

std::vector<Point> samples(const std::vector<Point>& points) {
  std::vector<Point> result;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point a = points[i];
    const Point b = points[i + 1];
    const int steps = std::max(1, static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / kStep));
    for (int k = 0; k < steps; ++k) {
      const double t = static_cast<double>(k) / steps;
      result.push_back({std::lerp(a.x, b.x, t), std::lerp(a.y, b.y, t)});
    }
  }
  if (!points.empty()) result.push_back(points.back());
  return result;
}

Rect grown(const Rect& r, double by) { return {r.x - by, r.y - by, r.width + 2 * by, r.height + 2 * by}; }

}  // namespace

void Placement::avoid_line(const std::vector<Point>& points) {
  const std::vector<Point> all = samples(points);
  ink_.insert(ink_.end(), all.begin(), all.end());
}

double Placement::cost(const Rect& rect) const {
  const Rect clear = grown(rect, kClearance);
  double total = 0;
  if (clear.x < area_.x || clear.right() > area_.right() || clear.y < area_.y || clear.bottom() > area_.bottom()) {
    total += kOutside;
  }
  for (const Rect& text : texts_) total += clear.overlaps(text) ? kOutside : 0;
  for (const Point p : ink_) total += clear.contains(p) ? 1 : 0;
  return total;
}

Text Placement::place(Text label, const std::vector<Point>& along) {
  const std::vector<Point> places = samples(along);
  const double rise = 0.27 * label.size;  // from the middle of small letters to the baseline
  Text best = label;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](Point at, Text::Anchor anchor, double penalty) {
    label.at = at;
    label.anchor = anchor;
    const double total = cost(extent(label)) + penalty;
    if (total >= least) return;
    least = total;
    best = label;
  };
  for (std::size_t i = places.size(); i-- > 0;) {
    const Point p = places[i];
    for (int k = 0; k < kDistances; ++k) {
      const double away = 2.5 + 2.5 * k;
      const double penalty = kFarther * k;
      consider({p.x, p.y - away}, Text::Anchor::middle, penalty);
      consider({p.x, p.y + away + label.size * 0.76}, Text::Anchor::middle, penalty);
      consider({p.x + away, p.y + rise}, Text::Anchor::start, penalty);
      consider({p.x - away, p.y + rise}, Text::Anchor::end, penalty);
    }
  }
  texts_.push_back(extent(best));
  return best;
}

}  // namespace headroom::app::plot
