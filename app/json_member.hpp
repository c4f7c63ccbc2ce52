#pragma once

#include <string>

#include "app/json.hpp"

namespace headroom::app {

/// A text among the members of what a file holds, which may be anything; empty where there is none.
[[nodiscard]] inline std::string text_member(const Json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace headroom::app
