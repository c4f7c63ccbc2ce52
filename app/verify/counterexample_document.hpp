#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "app/json.hpp"

namespace headroom::app {

/// An input at which its claim fails, and one that came closest.
inline constexpr const char* counterexample_schema = "headroom.counterexample/1";
inline constexpr const char* worst_input_schema = "headroom.worst-input/1";

/// A file of an input as it is read, key by key: every failure is an Error(input) naming the file and the key.
class CounterexampleDocument {
 public:
  /// Fails for what cannot be read, is no JSON object or says another schema.
  explicit CounterexampleDocument(const std::filesystem::path& file);

  [[noreturn]] void fail(const std::string& problem, const std::string& key, const std::string& remedy) const;

  [[nodiscard]] std::string text(const std::string& key) const;

  /// A whole number; 0 when the key is not there.
  [[nodiscard]] std::size_t count(const std::string& key) const;

  /// A finite number, written as a hexadecimal float so that every bit is kept.
  [[nodiscard]] double number(const std::string& key) const;
  [[nodiscard]] std::vector<double> numbers(const std::string& key) const;

 private:
  [[nodiscard]] double number_of(const Json& json, const std::string& key) const;

  std::string file_;
  Json json_;
};

}  // namespace headroom::app
