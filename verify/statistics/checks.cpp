#include "verify/statistics/checks.hpp"

#include <cmath>
#include <string>

#include "core/error.hpp"

namespace headroom::verify {

void require_open_unit(double value, const std::string& name) {
  if (value > 0.0 && value < 1.0) return;
  throw_usage(name + " must lie strictly between 0 and 1, got " + std::to_string(value), name,
              "give a value such as 0.95");
}

void require_non_negative(double value, const std::string& name) {
  if (value >= 0.0 && std::isfinite(value)) return;
  throw_usage(name + " must be finite and not negative, got " + std::to_string(value), name,
              "give a value of at least 0");
}

void require_positive(double value, const std::string& name) {
  if (value > 0.0 && std::isfinite(value)) return;
  throw_usage(name + " must be finite and positive, got " + std::to_string(value), name, "give a value above 0");
}

}  // namespace headroom::verify
