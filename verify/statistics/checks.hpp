#pragma once

#include <string>

namespace headroom::verify {

/// Error (usage) unless 0 < value < 1; `name` says what the value is, e.g. "confidence".
void require_open_unit(double value, const std::string& name);

/// Error (usage) unless value is finite and ≥ 0.
void require_non_negative(double value, const std::string& name);

/// Error (usage) unless value is finite and > 0.
void require_positive(double value, const std::string& name);

}  // namespace headroom::verify
