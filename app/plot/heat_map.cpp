#include "app/plot/heat_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/plot/column.hpp"
#include "app/plot/scale.hpp"

namespace headroom::app::plot {
namespace {

constexpr double kBarWidth = 7;   // of the scale of colours
constexpr double kBarSpace = 30;  // for the scale with its labels
constexpr double kGap = 0.5;      // between cells
constexpr double kLeastCell = 3;  // points: smaller ones could not be told apart
constexpr std::size_t kBarSteps = 64;
constexpr std::size_t kMostTicks = 6;

constexpr std::array<std::uint32_t, 9> kCividis = {0x00224E, 0x1B3A6D, 0x434E6C, 0x61656F, 0x7D7C78,
                                                   0x9B9476, 0xBCAF6F, 0xDECB5D, 0xFEE838};

struct Values {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Values range_of(const HeatMap& map) {
  Values range;
  for (const std::vector<double>& row : map.values) {
    for (const double value : row) {
      if (!std::isfinite(value)) continue;
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  }
  return range;
}

Path filled(const Rect& rect, Colour colour) {
  return {{{rect.x, rect.y}, {rect.right(), rect.y}, {rect.right(), rect.bottom()}, {rect.x, rect.bottom()}},
          true,
          std::nullopt,
          Fill{colour, 1}};
}

Text line_of_text(Point at, RichText text, double size, Text::Anchor anchor = Text::Anchor::start) {
  Text line{at, std::move(text), size};
  line.anchor = anchor;
  return line;
}

// Every so many-th name has room.
std::size_t stride(std::size_t count, double cell, double needed) {
  if (count == 0) return 1;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(needed / cell)));
}

void draw_scale(Drawing& drawing, const Rect& bar, const Values& range) {
  const double step = bar.height / kBarSteps;
  for (std::size_t i = 0; i < kBarSteps; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / kBarSteps;
    const double top = bar.bottom() - static_cast<double>(i + 1) * step;
    drawing.shapes.emplace_back(filled({bar.x, top, bar.width, step + 0.3}, cividis(share)));
  }
  const Scale scale(Scale::Kind::linear, range.low, range.high);
  for (const Tick& tick : ticks(scale, kMostTicks)) {
    const double y = bar.bottom() - scale.fraction(tick.value) * bar.height;
    drawing.shapes.emplace_back(line_of_text({bar.right() + 3, y + kTickSize / 3}, tick.label, kTickSize));
  }
}

}  // namespace

Colour cividis(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(kCividis.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), kCividis.size() - 2);
  const double part = place - static_cast<double>(below);
  std::uint32_t rgb = 0;
  for (const unsigned shift : {16U, 8U, 0U}) {
    const double a = (kCividis[below] >> shift) & 0xFFU;
    const double b = (kCividis[below + 1] >> shift) & 0xFFU;
    rgb |= static_cast<std::uint32_t>(std::lround(a + part * (b - a))) << shift;
  }
  return {rgb};
}

Drawing draw(const HeatMap& map) {
  Drawing drawing;
  drawing.title = map.title;
  drawing.description = map.subtitle;
  drawing.width = kColumnWidth;
  const double y = draw_heading(drawing);

  double name_width = 0;
  for (const std::string& name : map.y) name_width = std::max(name_width, plain_width(name, kTickSize));
  name_width = std::min(name_width, kColumnWidth / 3);
  const double left = kMargin + kAxisSize * 1.5 + name_width + 3;
  const double width = kColumnWidth - left - kBarSpace - kMargin;
  const double columns = static_cast<double>(std::max<std::size_t>(map.x.size(), 1));
  const double rows = static_cast<double>(std::max<std::size_t>(map.y.size(), 1));
  const double cell = width / columns;
  const double cell_height = std::max(kLeastCell, std::min(cell, 260 / rows));
  const Rect plot{left, y + 8, width, cell_height * rows};

  const Values range = range_of(map);
  const bool some = range.low <= range.high;
  const double span = range.high > range.low ? range.high - range.low : 1;
  const double gap = std::min(kGap, cell_height / 8);
  for (std::size_t r = 0; r < map.values.size(); ++r) {
    for (std::size_t c = 0; c < map.values[r].size(); ++c) {
      const double value = map.values[r][c];
      if (!std::isfinite(value)) continue;
      const Rect rect{plot.x + static_cast<double>(c) * cell, plot.y + static_cast<double>(r) * cell_height, cell - gap,
                      cell_height - gap};
      drawing.shapes.emplace_back(filled(rect, cividis((value - range.low) / span)));
    }
  }
  const std::size_t every_row = stride(map.y.size(), cell_height, kTickSize * 1.05);
  for (std::size_t r = 0; r < map.y.size(); r += every_row) {
    const Point at{plot.x - 3, plot.y + (static_cast<double>(r) + 0.5) * cell_height + kTickSize / 3};
    drawing.shapes.emplace_back(
        line_of_text(at, elide(map.y[r], kTickSize, name_width + 1), kTickSize, Text::Anchor::end));
  }
  double widest = 0;
  for (const std::string& name : map.x) widest = std::max(widest, plain_width(name, kTickSize));
  const std::size_t every_column = stride(map.x.size(), cell, widest + 3);
  for (std::size_t c = 0; c < map.x.size(); c += every_column) {
    const Point at{plot.x + (static_cast<double>(c) + 0.5) * cell, plot.bottom() + kTickSize + 2};
    drawing.shapes.emplace_back(line_of_text(at, map.x[c], kTickSize, Text::Anchor::middle));
  }
  const double below = plot.bottom() + kTickSize + 4 + kAxisSize;
  drawing.shapes.emplace_back(
      line_of_text({plot.x + plot.width / 2, below}, map.x_label, kAxisSize, Text::Anchor::middle));
  Text side =
      line_of_text({kMargin + kAxisSize, plot.y + plot.height / 2}, map.y_label, kAxisSize, Text::Anchor::middle);
  side.upwards = true;
  drawing.shapes.emplace_back(side);
  if (some && range.high > range.low) {
    draw_scale(drawing, {plot.right() + 6, plot.y, kBarWidth, plot.height}, range);
  }
  drawing.height = below + kMargin;
  return drawing;
}

}  // namespace headroom::app::plot
