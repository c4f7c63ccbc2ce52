#pragma once

#include <string_view>

namespace headroom::app {

/// Writes data to standard output. Throws OutputClosed where nobody reads it, Error(input) as on a full disk.
void print_data(std::string_view text);

}  // namespace headroom::app
