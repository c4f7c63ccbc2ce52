#include "app/figures/common.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace headroom::app::figures {
namespace {

constexpr double kNameWidth = 80;
constexpr double kNameSize = 6.6;

}  // namespace

std::string origin(const FigureContext& context) {
  const auto shortened = [](const std::string& name) { return plot::elide(name, kNameSize, kNameWidth); };
  return shortened(context.model) + " on " + shortened(context.text);
}

std::string heads(const FigureContext& context) {
  return context.heads > 0 ? std::to_string(context.heads) + " heads" : "all heads";
}

std::vector<double> distinct(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<plot::Point> points(const std::vector<double>& x, const std::vector<double>& y) {
  assert(x.size() == y.size());
  std::vector<plot::Point> result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back({x[i], y[i]});
  return result;
}

plot::Line line(std::vector<plot::Point> points, const Look& look) {
  plot::Line result;
  result.points = std::move(points);
  result.stroke = look.stroke;
  result.marker = look.marker;
  result.marker_colour = look.stroke.colour;
  return result;
}

plot::Key key(plot::RichText label, const Look& look) {
  plot::Key result;
  result.label = std::move(label);
  result.line = look.stroke;
  result.marker = look.marker;
  return result;
}

}  // namespace headroom::app::figures
