#pragma once

#include <string>
#include <string_view>

#include "app/plot/drawing.hpp"

namespace headroom::app::plot {

/// Any bytes as XML text or attribute value: markup is escaped; what XML 1.0 cannot hold (control characters, invalid
/// UTF-8, noncharacters) becomes U+FFFD.
[[nodiscard]] std::string escape_xml(std::string_view bytes);

/// A drawing as one SVG 1.1 file: real text, a white page, a size in points with a viewBox, no scripts, no references
/// and no ids, so that several can stand in one page. The same drawing gives the same bytes everywhere.
[[nodiscard]] std::string to_svg(const Drawing& drawing);

}  // namespace headroom::app::plot
