#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "sim/normalizer.hpp"

namespace headroom::sim {

inline void check_temperature(double temperature) {
  if (!(temperature > 0) || !std::isfinite(temperature)) {
    throw_usage("the temperature is " + std::to_string(temperature), "", "it must be a positive number");
  }
}

/// True for a logit that counts, false for a masked one; any other is an error.
template <class Real>
bool is_logit(Real logit, std::size_t row, std::size_t column) {
  if (logit == -std::numeric_limits<Real>::infinity()) return false;
  if (!std::isfinite(logit)) {
    throw_input(std::isnan(logit) ? "a logit is NaN" : "a logit is +inf",
                "row " + std::to_string(row) + ", column " + std::to_string(column),
                "logits must be finite, or -inf for a masked token");
  }
  return true;
}

inline void check_not_empty(std::size_t kept, EmptyRow empty_row, std::size_t row) {
  if (kept == 0 && empty_row == EmptyRow::error) {
    throw_input("the query sees no token", "row " + std::to_string(row), "use --empty-row zeros to give it weights 0");
  }
}

}  // namespace headroom::sim
