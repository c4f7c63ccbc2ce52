#pragma once

#include <string>

#include "app/json.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// short_spec() of a text that may be no normalizer of this program: then the text itself.
[[nodiscard]] std::string short_name(const std::string& text);

/// {LONG: SHORT} of every text of the column "normalizer" that has a shorter name; empty without such a column.
[[nodiscard]] Json short_names(const Table& table);

}  // namespace headroom::app
