#include "app/verify/expected.hpp"

#include <toml++/toml.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/nearest.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

constexpr const char* schema = "headroom.expected/1";

void check_schema(const toml::table& document, const std::string& file) {
  const auto found = document["schema"].value<std::string>();
  if (found == schema) return;
  throw_input(found ? "the schema is \"" + *found + "\", not " + schema : std::string("there is no schema"), file,
              std::string("use a file with the line schema = \"") + schema + "\", as this version is installed with");
}

void add_section(ExpectedVerdicts& expected, const toml::table& section, std::span<const std::string> known,
                 const std::string& file) {
  for (const auto& [key, value] : section) {
    const std::string id(key.str());
    if (std::ranges::find(known, id) == known.end()) {
      throw_input("there is no claim \"" + id + "\"", file, "did you mean " + nearest(id, known) + "?");
    }
    const auto verdict = verify::verdict_named(value.value_or(std::string()));
    if (!verdict) {
      throw_input("the expected verdict of " + id + " is no verdict", file,
                  "holds, refuted, inconclusive, vacuous or measured");
    }
    if (!expected.emplace(id, *verdict).second) throw_input("claim " + id + " is there twice", file, "keep one line");
  }
}

}  // namespace

fs::path expected_file() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share" / "headroom" / "expected.toml";
  if (!error && fs::exists(installed, error)) return installed;
  return fs::path(HEADROOM_RESULTS) / "expected.toml";
}

ExpectedVerdicts read_expected(const fs::path& file, std::span<const std::string> claims) {
  ExpectedVerdicts expected;
  toml::table document;
  try {
    document = toml::parse_file(file.string());
  } catch (const toml::parse_error& problem) {
    throw_input(std::string(problem.description()), file.string(), "it must be TOML as headroom is installed with");
  }
  check_schema(document, file.string());
  for (const auto& [key, value] : document) {
    if (const toml::table* section = value.as_table()) add_section(expected, *section, claims, file.string());
  }
  for (const std::string& id : claims) {
    if (!expected.contains(id)) throw_input("claim " + id + " has no expected verdict", file.string(), "add a line");
  }
  return expected;
}

}  // namespace headroom::app
