#pragma once

#include <string_view>

namespace headroom::app {

/// What every report page carries: Plotly as its authors publish it, and our own program and style from
/// app/report/page/. Linked into the program by assets.S.
struct PageAssets {
  std::string_view plotly;
  std::string_view program;
  std::string_view style;
};

/// Throws Error(Fault::input) in a program that was built where Plotly was not: reports are off there.
[[nodiscard]] PageAssets page_assets();

}  // namespace headroom::app
