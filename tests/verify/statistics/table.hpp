#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"

namespace headroom::verify::testing {

/// A committed table of tests/verify/fixtures: cells of comma-separated text, comment lines (#) left out.
using Table = std::vector<std::vector<std::string>>;

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

inline Table read_table(const std::string& name) {
  std::ifstream file(std::string(HEADROOM_SOURCE) + "/tests/verify/fixtures/" + name);
  REQUIRE(file.is_open());
  Table table;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') table.push_back(split(line, ','));
  }
  REQUIRE_FALSE(table.empty());
  return table;
}

inline std::vector<double> numbers(const std::string& text) {
  std::vector<double> values;
  for (const std::string& part : split(text, ' ')) values.push_back(std::stod(part));
  return values;
}

}  // namespace headroom::verify::testing
