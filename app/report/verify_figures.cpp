#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/json_member.hpp"
#include "app/plot/column.hpp"
#include "app/plot/text.hpp"
#include "app/report/static_figures.hpp"

namespace headroom::app {
namespace {

namespace palette = plot::palette;
using plot::kMargin;
using plot::kSmallSize;
using plot::Text;

constexpr double kRow = 9;
constexpr double kNames = 98;  // for the ids
constexpr double kWords = 42;  // for the verdicts
// The axis is logarithmic; what lies outside stands at its end.
constexpr double kLow = 0.02;
constexpr double kHigh = 50;

std::optional<double> number_in(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) return std::nullopt;
  const Json& value = object[key];
  if (value == "inf") return HUGE_VAL;
  return value.is_number() ? std::optional<double>(value.get<double>()) : std::nullopt;
}

double place(double value) {
  const double share = std::log(std::max(value, 1e-300) / kLow) / std::log(kHigh / kLow);
  return kMargin + kNames + std::clamp(share, 0.0, 1.0) * (plot::kColumnWidth - 2 * kMargin - kNames - kWords);
}

void write(plot::Drawing& drawing, plot::Point at, const std::string& text, plot::Colour colour = palette::ink,
           Text::Anchor anchor = Text::Anchor::start) {
  Text line{at, text, kSmallSize};
  line.colour = colour;
  line.anchor = anchor;
  drawing.shapes.emplace_back(line);
}

void rule(plot::Drawing& drawing, plot::Point from, plot::Point to, plot::Stroke stroke) {
  drawing.shapes.emplace_back(plot::Path{{from, to}, false, stroke, std::nullopt});
}

void draw_claim(plot::Drawing& drawing, const Json& claim, double y) {
  const std::string verdict = text_member(claim, "verdict");
  const bool refuted = verdict == "refuted";
  const plot::Colour colour = refuted ? palette::vermilion : palette::blue;
  write(drawing, {kMargin, y + 2}, plot::elide(text_member(claim, "id"), kSmallSize, kNames - 6));
  write(drawing, {plot::kColumnWidth - kMargin, y + 2}, verdict, refuted ? palette::vermilion : palette::ink,
        Text::Anchor::end);
  const Json tightness = claim.is_object() ? claim.value("tightness", Json()) : Json();
  const auto middle = number_in(tightness, "q50");
  const auto high = number_in(tightness, "q95");
  const auto largest = number_in(tightness, "max");
  if (!middle || !high || !largest) return;
  rule(drawing, {place(*middle), y}, {std::max(place(*high), place(*middle) + 1), y}, {colour, 3});
  drawing.shapes.emplace_back(plot::Circle{{place(*largest), y}, 1.7, std::nullopt, plot::Fill{colour, 1}});
}

// Tightness of every claim: the bar from the median to the 95 % quantile, the dot at the largest.
plot::Drawing tightness(const Json& claims, const std::string& preset) {
  plot::Drawing drawing;
  drawing.title = "How near every claim comes to its bound";
  drawing.width = plot::kColumnWidth;
  drawing.description = (preset.empty() ? "" : "preset " + preset + "; ") +
                        "observed over bound (inverse for lower bounds): bar from median to 95 % quantile, dot at the "
                        "largest; 1 is attained, more violated; ends of the axis hold what lies beyond";
  const double top = draw_heading(drawing) + 6;
  const double bottom = top + kRow * static_cast<double>(claims.size());
  for (const double tick : {0.1, 1.0, 10.0}) {
    const bool attained = tick == 1.0;
    rule(drawing, {place(tick), top}, {place(tick), bottom},
         attained ? plot::Stroke{palette::grey, 0.7, plot::Dash::dashed} : plot::Stroke{palette::grid, 0.5});
    write(drawing, {place(tick), bottom + kSmallSize + 2},
          attained   ? "1"
          : tick < 1 ? "0.1"
                     : "10",
          palette::ink, Text::Anchor::middle);
  }
  double row = top + kRow / 2;
  for (const Json& claim : claims) {
    draw_claim(drawing, claim, row);
    row += kRow;
  }
  drawing.height = bottom + kSmallSize + 2 + kMargin + 2;
  return drawing;
}

}  // namespace

std::vector<StaticFigure> verify_figures(ResultFolder& folder) {
  const auto verdicts = folder.json("verdicts.json");
  if (!verdicts || !verdicts->contains("claims") || !(*verdicts)["claims"].is_array()) return {};
  return {{"tightness", tightness((*verdicts)["claims"], verdicts->value("preset", ""))}};
}

}  // namespace headroom::app
