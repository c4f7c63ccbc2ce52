#include "verify/claims/parameters.hpp"

#include <fmt/format.h>

#include "sim/hash.hpp"

namespace headroom::verify {

std::string parameters_text(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    if (!text.empty()) text += ',';
    text += name + '=';
    if (const double* number = std::get_if<double>(&value)) {
      text += fmt::format("{}", *number);
    } else {
      text += std::get<std::string>(value);
    }
  }
  return text;
}

std::uint64_t stream_key(const std::string& claim, const Parameters& parameters) {
  return sim::hash64(claim + '|' + parameters_text(parameters));
}

}  // namespace headroom::verify
