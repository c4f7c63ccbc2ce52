#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "verify/verdict.hpp"

namespace headroom::app {

/// The expected verdict of every claim, by id.
using ExpectedVerdicts = std::map<std::string, verify::Verdict>;

/// expected.toml: beside an installed program under share/headroom, else in the sources.
[[nodiscard]] std::filesystem::path expected_file();

/// Reads a file of the schema headroom.expected/1 about the claims of these ids. Error(input) naming the file for what
/// is no TOML, another schema or none, an id that is no claim, a word that is no verdict, and a claim that is missing
/// or there twice.
[[nodiscard]] ExpectedVerdicts read_expected(const std::filesystem::path& file, std::span<const std::string> claims);

}  // namespace headroom::app
