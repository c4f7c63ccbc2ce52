#include "app/commands/number_check.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace headroom::app {
namespace {

template <class Number>
bool parses(const std::string& text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(static_cast<double>(value));
}

}  // namespace

CLI::Validator whole_number() {
  return {[](std::string& text) {
            if (parses<std::uint64_t>(text)) return std::string();
            return fmt::format("'{}' is not a whole number of at least 0 and below 2^64", text);
          },
          ""};
}

CLI::Validator finite_number() {
  return {[](std::string& text) {
            return parses<double>(text) ? std::string() : fmt::format("'{}' is not a finite number", text);
          },
          ""};
}

}  // namespace headroom::app
