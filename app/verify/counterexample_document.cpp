#include "app/verify/counterexample_document.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "core/error.hpp"
#include "model/input_file.hpp"

namespace headroom::app {

CounterexampleDocument::CounterexampleDocument(const std::filesystem::path& file) : file_(file.string()) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    fail("is a folder", "", "name a file in its counterexamples/ or worst/");
  json_ = Json::parse(model::InputFile(file).content(), nullptr, false);
  if (json_.is_discarded() || !json_.is_object()) fail("no JSON object", "", "the file may be cut off");
  const std::string schema = text("schema");
  if (schema != counterexample_schema && schema != worst_input_schema) {
    fail("unknown schema", "schema",
         fmt::format("this program reads {} and {}", counterexample_schema, worst_input_schema));
  }
}

void CounterexampleDocument::fail(const std::string& problem, const std::string& key, const std::string& remedy) const {
  throw_input(problem, key.empty() ? file_ : file_ + ", " + key, remedy);
}

std::string CounterexampleDocument::text(const std::string& key) const {
  const auto found = json_.find(key);
  if (found == json_.end() || !found->is_string()) fail("missing, or no text", key, "give it as a string");
  return found->get<std::string>();
}

std::size_t CounterexampleDocument::count(const std::string& key) const {
  const auto found = json_.find(key);
  if (found == json_.end()) return 0;
  if (!found->is_number_unsigned()) fail("not a whole number", key, "give it as 0, 1, 2 and so on");
  return found->get<std::size_t>();
}

double CounterexampleDocument::number(const std::string& key) const {
  const auto found = json_.find(key);
  if (found == json_.end()) fail("missing", key, "give it as a hexadecimal float, e.g. \"0x1p-1\"");
  return number_of(*found, key);
}

std::vector<double> CounterexampleDocument::numbers(const std::string& key) const {
  const auto found = json_.find(key);
  if (found == json_.end() || !found->is_array()) fail("missing, or no list", key, "give a list of numbers");
  std::vector<double> values;
  for (const Json& element : *found) values.push_back(number_of(element, fmt::format("{}[{}]", key, values.size())));
  return values;
}

double CounterexampleDocument::number_of(const Json& json, const std::string& key) const {
  const std::string whole = json.is_string() ? json.get<std::string>() : "";
  std::string_view digits = whole;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const bool hexadecimal = digits.starts_with("0x");
  if (hexadecimal) digits.remove_prefix(2);
  double value = 0.0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::hex);
  if (!hexadecimal || digits.starts_with('-') || error != std::errc{} || end != digits.data() + digits.size() ||
      !std::isfinite(value)) {
    fail("not a finite hexadecimal float", key, "write numbers as \"0x1.8p-1\"");
  }
  return negative ? -value : value;
}

}  // namespace headroom::app
