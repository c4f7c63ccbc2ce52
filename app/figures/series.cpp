#include "app/figures/series.hpp"

#include <array>

namespace headroom::app::figures {

Look series_look(std::size_t i) {
  namespace palette = plot::palette;
  using plot::Marker;
  constexpr std::array<plot::Colour, 6> colours = {palette::ink,   palette::blue,   palette::vermilion,
                                                   palette::green, palette::purple, palette::orange};
  constexpr std::array<Marker, 4> markers = {Marker::circle, Marker::square, Marker::triangle, Marker::diamond};
  constexpr std::array<plot::Dash, 3> dashes = {plot::Dash::solid, plot::Dash::dashed, plot::Dash::dotted};
  return {{colours[i % colours.size()], 1.2, dashes[i / colours.size() % dashes.size()]}, markers[i % markers.size()]};
}

}  // namespace headroom::app::figures
