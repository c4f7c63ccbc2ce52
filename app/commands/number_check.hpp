#pragma once

#include <string>

namespace CLI {
class Validator;
}

namespace headroom::app {

/// Checks of command-line values before CLI11 converts them, so that the message says what is allowed.
[[nodiscard]] CLI::Validator whole_number();
[[nodiscard]] CLI::Validator finite_number();

}  // namespace headroom::app
