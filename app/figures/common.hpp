#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/figures.hpp"
#include "app/plot/chart.hpp"
#include "app/table.hpp"

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

/// Appends `<measure>_ci_low` and `<measure>_ci_high` for every measure.
void append_intervals(std::vector<Column>& columns, const std::vector<std::string>& measures);

/// Error bars in the colour of a series from the columns `<measure>_ci_low` and `<measure>_ci_high` of a table that has
/// them, for the rows chosen.
void add_bars(plot::Chart& chart, const Table& table, const std::vector<double>& x, const std::string& measure,
              const Look& look, const std::function<bool(std::size_t row)>& chosen = {});

/// "; WHAT over 8 windows" with several windows, else nothing.
[[nodiscard]] std::string over_windows(const FigureContext& context, const std::string& what);

}  // namespace headroom::app::figures
