#pragma once

#include <string>

namespace headroom::app {

/// A duration for people: "0.4 s", "35 s", "12 min", "3.5 h", "2.1 days".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace headroom::app
