#pragma once

#include <string_view>

namespace headroom::app {

/// Version of the project, e.g. "0.1.0".
[[nodiscard]] std::string_view version() noexcept;

/// The compiler that built this program, e.g. "GNU 12.2.0".
[[nodiscard]] std::string_view build_compiler() noexcept;

/// The commit of the sources when the build was configured, with "-dirty" where they had been changed; "unknown" for
/// sources outside a repository.
[[nodiscard]] std::string_view build_revision() noexcept;

}  // namespace headroom::app
