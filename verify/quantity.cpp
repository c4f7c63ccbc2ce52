#include "verify/quantity.hpp"

namespace headroom::verify {

std::optional<Quantity> quantity_named(std::string_view name) {
  for (std::size_t i = 0; i < quantity_count; ++i) {
    if (quantity_names[i] == name) return static_cast<Quantity>(i);
  }
  return std::nullopt;
}

}  // namespace headroom::verify
