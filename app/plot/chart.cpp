#include "app/plot/chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/plot/column.hpp"
#include "app/plot/placement.hpp"

namespace headroom::app::plot {
namespace {

constexpr double kPlotHeight = 142;
constexpr double kTickLength = 2.5;
constexpr double kMinorTickLength = 1.5;
constexpr std::size_t kMostTicks = 8;
constexpr double kRoom = 0.035;   // of the range, free on both sides
constexpr double kDeepest = 0.1;  // the lower edge of a band over its upper one that an axis makes room for
constexpr double kFarOutside = 1e5;
constexpr double kCap = 2.2;  // half the width of an error bar's cap
constexpr double kBarWidth = 0.8;
constexpr double kLabelSpace = 3;  // between neighbouring tick labels

constexpr Stroke kFrame{palette::grey, 0.6};
constexpr Stroke kGrid{palette::grid, 0.45};

/// Gathers the values that the axes have to show.
struct Collect {
  Scale::Kind y_kind;
  std::vector<double> x;
  std::vector<double> y;
  double x_room = kRoom;
  void operator()(const Line& line) {
    for (const Point p : line.points) {
      x.push_back(p.x);
      y.push_back(p.y);
    }
  }
  void operator()(const Band& band) {
    for (std::size_t i = 0; i < band.x.size(); ++i) range(band.x[i], band.low[i], band.high[i]);
  }
  void operator()(const ErrorBars& bars) {
    for (const ErrorBars::Bar& bar : bars.bars) range(bar.x, bar.low, bar.high);
  }
  void range(double at, double low, double high) {
    x.push_back(at);
    // On a logarithmic axis a range that comes near zero would stretch the axis over many empty decades.
    if (y_kind == Scale::Kind::linear || low > kDeepest * high) y.push_back(low);
    y.push_back(high);
  }
  void operator()(const Boxes& boxes) {
    // Half a step of room, so that the first and the last box stand whole.
    if (boxes.x.size() > 1) x_room = std::max(x_room, 0.5 / static_cast<double>(boxes.x.size() - 1));
    x.insert(x.end(), boxes.x.begin(), boxes.x.end());
    for (const BoxSummary& box : boxes.summaries) {
      y.insert(y.end(), {box.lower_whisker, box.upper_whisker});
      y.insert(y.end(), box.outliers.begin(), box.outliers.end());
    }
  }
};

Scale scale_of(const Axis& axis, const std::vector<double>& values, double room) {
  const Scale all = Scale::around(axis.kind, values, room);
  const double low = axis.low.value_or(all.low());
  const double high = axis.high.value_or(all.high());
  return low < high ? Scale(axis.kind, low, high) : all;
}

std::vector<Tick> ticks_of(const Axis& axis, const Scale& scale) {
  return axis.labelled.empty() ? ticks(scale, kMostTicks) : ticks_at(scale, axis.labelled);
}

/// The plot's rectangle on the page and the scales of its two sides.
struct Frame {
  Rect plot;
  Scale x;
  Scale y;

  [[nodiscard]] double at_x(double value) const { return on_page(plot.x + x.fraction(value) * plot.width); }
  [[nodiscard]] double at_y(double value) const { return on_page(plot.bottom() - y.fraction(value) * plot.height); }
  /// What lies far outside of the plot is cut off in any case: no file holds numbers of 300 digits for it.
  static double on_page(double place) { return std::clamp(place, -kFarOutside, kFarOutside); }
  [[nodiscard]] std::optional<Point> at(Point p) const {
    if (!x.places(p.x) || !y.places(p.y)) return std::nullopt;
    return Point{at_x(p.x), at_y(p.y)};
  }
  /// The line's pieces on the page, interrupted where a point has no place.
  [[nodiscard]] std::vector<std::vector<Point>> pieces(const std::vector<Point>& points) const {
    std::vector<std::vector<Point>> result(1);
    for (const Point p : points) {
      if (const auto place = at(p)) {
        result.back().push_back(*place);
      } else if (!result.back().empty()) {
        result.emplace_back();
      }
    }
    if (result.back().empty()) result.pop_back();
    return result;
  }
};

double half_width(const Boxes& boxes, const Frame& frame) {
  double least = 24;
  for (std::size_t i = 0; i + 1 < boxes.x.size(); ++i) {
    least = std::min(least, std::abs(frame.at_x(boxes.x[i + 1]) - frame.at_x(boxes.x[i])));
  }
  return 0.3 * least;
}

/// Paints the layers and tells the placement of labels what is where.
class Painter {
 public:
  Painter(std::vector<Shape>& shapes, const Frame& frame) : shapes_(shapes), frame_(frame), placement_(frame.plot) {}

  void operator()(const Band& band) {
    std::vector<Point> outline;
    std::vector<Point> back;
    for (std::size_t i = 0; i < band.x.size(); ++i) {
      const auto high = frame_.at({band.x[i], band.high[i]});
      if (!high || std::isnan(band.low[i])) continue;
      const double low = frame_.y.places(band.low[i]) ? frame_.at_y(band.low[i]) : frame_.plot.bottom();
      outline.push_back(*high);
      back.push_back({high->x, low});
    }
    if (outline.empty()) return;
    outline.insert(outline.end(), back.rbegin(), back.rend());
    clipped(Path{outline, true, std::nullopt, band.fill});
  }

  void operator()(const Line& line) {
    std::vector<Point> longest;
    for (const std::vector<Point>& piece : frame_.pieces(line.points)) {
      if (line.stroke) {
        clipped(Path{piece, false, line.stroke, std::nullopt});
        placement_.avoid_line(piece);
      }
      if (piece.size() > longest.size()) longest = piece;
      for (const Point p : piece) {
        if (!frame_.plot.contains(p)) continue;
        draw_marker(shapes_, line.marker, p, line.marker_colour, line.open);
        if (line.marker != Marker::none) placement_.avoid_point(p);
      }
    }
    if (line.label.empty() || longest.empty()) return;
    labels_.push_back({line.label, line.stroke ? line.stroke->colour : line.marker_colour, longest});
  }

  void operator()(const Boxes& boxes) {
    const double half = half_width(boxes, frame_);
    const Stroke outline{boxes.colour, 0.7};
    for (std::size_t i = 0; i < boxes.x.size(); ++i) {
      const BoxSummary& box = boxes.summaries[i];
      if (!frame_.x.places(boxes.x[i])) continue;
      const double x = frame_.at_x(boxes.x[i]);
      const auto y = [&](double value) { return frame_.at_y(value); };
      const double top = y(box.upper_quartile);
      const double bottom = y(box.lower_quartile);
      stroke({{x, y(box.upper_whisker)}, {x, top}}, outline);
      stroke({{x, bottom}, {x, y(box.lower_whisker)}}, outline);
      for (const double whisker : {box.upper_whisker, box.lower_whisker}) {
        stroke({{x - half / 2, y(whisker)}, {x + half / 2, y(whisker)}}, outline);
      }
      const std::vector<Point> corners = {{x - half, top}, {x + half, top}, {x + half, bottom}, {x - half, bottom}};
      clipped(Path{corners, true, outline, Fill{boxes.colour, 0.22}});
      placement_.avoid_line({corners[0], corners[1], corners[2], corners[3], corners[0]});
      stroke({{x - half, y(box.median)}, {x + half, y(box.median)}}, Stroke{boxes.colour, 1.5});
      for (const double outlier : box.outliers) {
        const Point p{x, y(outlier)};
        clipped(Circle{p, 0.9, Stroke{boxes.colour, 0.4}, std::nullopt});
        placement_.avoid_point(p);
      }
    }
  }

  void operator()(const ErrorBars& bars) {
    const Stroke line{bars.colour, kBarWidth};
    for (const ErrorBars::Bar& bar : bars.bars) {
      const auto high = frame_.at({bar.x, bar.high});
      if (!high || std::isnan(bar.low)) continue;
      const bool closed = frame_.y.places(bar.low);
      const double low = closed ? frame_.at_y(bar.low) : frame_.plot.bottom();
      stroke({*high, {high->x, low}}, line);
      stroke({{high->x - kCap, high->y}, {high->x + kCap, high->y}}, line);
      if (closed) stroke({{high->x - kCap, low}, {high->x + kCap, low}}, line);
    }
  }

  /// After all layers: labels see everything that is drawn.
  void write_labels() {
    for (const Label& label : labels_) {
      Text text{{}, label.text, kSmallSize};
      text.colour = label.colour;
      text.halo = true;
      std::vector<Point> inside;
      for (const Point p : label.along) {
        inside.push_back({std::clamp(p.x, frame_.plot.x, frame_.plot.right()),
                          std::clamp(p.y, frame_.plot.y, frame_.plot.bottom())});
      }
      shapes_.emplace_back(placement_.place(text, inside));
    }
  }

 private:
  struct Label {
    RichText text;
    Colour colour;
    std::vector<Point> along;
  };

  void clipped(Shape shape) {
    shapes_.emplace_back(BeginClip{frame_.plot});
    shapes_.push_back(std::move(shape));
    shapes_.emplace_back(EndClip{});
  }
  void stroke(std::vector<Point> points, Stroke with) {
    placement_.avoid_line(points);
    clipped(Path{std::move(points), false, with, std::nullopt});
  }

  std::vector<Shape>& shapes_;
  const Frame& frame_;
  Placement placement_;
  std::vector<Label> labels_;
};

/// Lines of text from `top` down; returns where they end.
double write_lines(std::vector<Shape>& shapes, const std::string& text, double size, bool bold, Colour colour,
                   double top) {
  const double room = (kColumnWidth - 2 * kMargin) / (bold ? 1.1 : 1);
  for (const std::string& line : wrap(text, size, room)) {
    top += size * kLineSpacing;
    shapes.emplace_back(Text{{kMargin, top - 0.3 * size}, line, size, Text::Anchor::start, colour, bold});
  }
  return top;
}

double widest(const std::vector<Tick>& marks) {
  double width = 0;
  for (const Tick& tick : marks) width = std::max(width, text_width(tick.label, kTickSize));
  return width;
}

void draw_axes(std::vector<Shape>& shapes, const Frame& frame, const std::vector<Tick>& x, const std::vector<Tick>& y) {
  const Rect& plot = frame.plot;
  const auto line = [&](Point a, Point b, Stroke stroke) { shapes.emplace_back(Path{{a, b}, false, stroke, {}}); };
  double free_from = -std::numeric_limits<double>::infinity();
  for (const Tick& tick : x) {
    const double place = frame.at_x(tick.value);
    if (!tick.label.empty()) line({place, plot.y}, {place, plot.bottom()}, kGrid);
    line({place, plot.bottom()}, {place, plot.bottom() + (tick.label.empty() ? kMinorTickLength : kTickLength)},
         kFrame);
    const double half = text_width(tick.label, kTickSize) / 2;
    // Values of a grid can stand closer than their labels are wide; a label that finds no room is left out.
    if (tick.label.empty() || place - half < free_from) continue;
    free_from = place + half + kLabelSpace;
    const Point at{place, plot.bottom() + kTickLength + 1 + 0.8 * kTickSize};
    shapes.emplace_back(Text{at, tick.label, kTickSize, Text::Anchor::middle});
  }
  for (const Tick& tick : y) {
    const double place = frame.at_y(tick.value);
    if (!tick.label.empty()) line({plot.x, place}, {plot.right(), place}, kGrid);
    line({plot.x - (tick.label.empty() ? kMinorTickLength : kTickLength), place}, {plot.x, place}, kFrame);
    if (tick.label.empty()) continue;
    const Point at{plot.x - kTickLength - 1.5, place + 0.36 * kTickSize};
    shapes.emplace_back(Text{at, tick.label, kTickSize, Text::Anchor::end});
  }
  line({plot.x, plot.y}, {plot.x, plot.bottom()}, kFrame);
  line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, kFrame);
}

}  // namespace

Drawing draw(const Chart& chart) {
  Collect values{chart.y.kind, {}, {}};
  for (const Layer& layer : chart.layers) std::visit(values, layer);
  const Scale x = scale_of(chart.x, values.x, values.x_room);
  const Scale y = scale_of(chart.y, values.y, kRoom);
  const std::vector<Tick> x_ticks = ticks_of(chart.x, x);
  const std::vector<Tick> y_ticks = ticks_of(chart.y, y);

  Drawing drawing{chart.title, chart.subtitle + ' ' + chart.caption, kColumnWidth, 0, {}};
  std::vector<Shape>& shapes = drawing.shapes;
  double top = write_lines(shapes, chart.title, kTitleSize, true, palette::ink, kMargin);
  top = write_lines(shapes, chart.subtitle, kSmallSize, false, palette::grey, top + 0.5);
  top = draw_legend(shapes, chart.legend, kMargin, kColumnWidth - kMargin, top + 3) + 5;

  const double left = kMargin + kAxisSize + 3 + widest(y_ticks) + 1.5 + kTickLength;
  const double last_label = x_ticks.empty() ? 0 : text_width(x_ticks.back().label, kTickSize) / 2;
  const double right = kColumnWidth - kMargin - std::max(2.0, last_label * 0.5);
  const Frame frame{{left, top, right - left, kPlotHeight}, x, y};

  draw_axes(shapes, frame, x_ticks, y_ticks);
  Painter painter(shapes, frame);
  for (const Layer& layer : chart.layers) std::visit(painter, layer);
  painter.write_labels();
  if (values.x.empty()) {
    const Point centre{left + frame.plot.width / 2, top + kPlotHeight / 2};
    shapes.emplace_back(Text{centre, "no data", kAxisSize, Text::Anchor::middle, palette::grey});
  }

  Text y_label{{kMargin + 0.8 * kAxisSize, top + kPlotHeight / 2}, chart.y.label, kAxisSize, Text::Anchor::middle};
  y_label.upwards = true;
  shapes.emplace_back(y_label);
  const double x_label = frame.plot.bottom() + kTickLength + kTickSize + 3 + kAxisSize;
  shapes.emplace_back(Text{{left + frame.plot.width / 2, x_label}, chart.x.label, kAxisSize, Text::Anchor::middle});
  drawing.height = write_lines(shapes, chart.caption, kSmallSize, false, palette::grey, x_label + 5) + kMargin;
  return drawing;
}

}  // namespace headroom::app::plot
