#pragma once

#include <filesystem>

namespace headroom::app {

/// The model that comes with headroom: beside an installed program under share/headroom, else in the sources.
[[nodiscard]] std::filesystem::path bundled_model();

/// Moby-Dick, where scripts/setup puts it: $HEADROOM_DEPS/share/moby-dick.txt, HEADROOM_DEPS being /opt/headroom by
/// default.
[[nodiscard]] std::filesystem::path bundled_text();

}  // namespace headroom::app
