#pragma once

#include <nlohmann/json.hpp>

namespace headroom::app {

/// Keys stay in the order they were written.
using Json = nlohmann::ordered_json;

/// A number, or for what JSON has no number for the string "inf", "-inf" or "nan".
[[nodiscard]] inline Json json_number(double value) {
  if (value != value) return "nan";
  if (value - value != 0) return value > 0 ? "inf" : "-inf";
  return value;
}

}  // namespace headroom::app
