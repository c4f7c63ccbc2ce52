#pragma once

#include <memory>
#include <string>

#include "app/sweep/input_digests.hpp"
#include "verify/sweep/kind.hpp"

namespace headroom::app {

/// What a grid can be a grid of, by name: simulate, claims or heads. Throws usage errors for an unknown kind or
/// quantity with the nearest right one. @param inputs gets the digests of what the cells depend on
[[nodiscard]] std::unique_ptr<const verify::sweep::Kind> make_kind(const std::string& name,
                                                                   const std::string& quantities,
                                                                   std::shared_ptr<InputDigests> inputs);

}  // namespace headroom::app
