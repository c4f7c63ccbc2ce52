#pragma once

#include <string>

namespace headroom::app::plot {

/// An SVG image of ours as a PDF page of its size, fonts embedded, vectors and text as such: librsvg renders it through
/// cairo, so that both files are one drawing.
/// @param date when the data were made, as in run.json; the file says nothing of when it was itself
/// Throws Error(Fault::input) when the library refuses.
[[nodiscard]] std::string to_pdf(const std::string& svg, const std::string& title, const std::string& date);

}  // namespace headroom::app::plot
