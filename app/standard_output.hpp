#pragma once

#include <string_view>

namespace headroom::app {

/// Writes data to standard output. Throws Error(input) when they do not get there, as on a full disk.
void print_data(std::string_view text);

}  // namespace headroom::app
