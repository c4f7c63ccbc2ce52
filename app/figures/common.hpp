#pragma once

#include <string>
#include <vector>

#include "app/figures.hpp"
#include "app/plot/chart.hpp"

namespace headroom::app::figures {

/// "MODEL on TEXT": names shortened so that both leave room on a line.
[[nodiscard]] std::string origin(const FigureContext& context);

/// "144 heads", or "all heads" when their number is not said.
[[nodiscard]] std::string heads(const FigureContext& context);

/// The different values, ascending, without NaN.
[[nodiscard]] std::vector<double> distinct(std::vector<double> values);

[[nodiscard]] std::vector<plot::Point> points(const std::vector<double>& x, const std::vector<double>& y);

/// How a series looks, in the plot and in the legend alike.
struct Look {
  plot::Stroke stroke;
  plot::Marker marker = plot::Marker::none;
};

[[nodiscard]] plot::Line line(std::vector<plot::Point> points, const Look& look);
[[nodiscard]] plot::Key key(plot::RichText label, const Look& look);

}  // namespace headroom::app::figures
