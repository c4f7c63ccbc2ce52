#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verify/sweep/kind.hpp"

namespace headroom::app {

/// What a grid can be a grid of, by name: simulate. Throws usage errors for an unknown kind or quantity with the
/// nearest right one.
[[nodiscard]] std::unique_ptr<const verify::sweep::Kind> make_kind(const std::string& name,
                                                                   const std::string& quantities);

/// The names of the quantities in a list such as "cheap", "all" or "separable,mass".
[[nodiscard]] std::vector<std::string> quantities_measured(const std::string& quantities);

}  // namespace headroom::app
