#include <regex>
#include <set>
#include <string>

#include "catch.hpp"
#include "tests/repository/source_tree.hpp"

using namespace headroom::repository;  // NOLINT(google-build-using-namespace)

namespace {

std::string text_of(const std::string& path) { return read_file(HEADROOM_SOURCE, path).text; }

std::set<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) found.insert((*it)[1]);
  return found;
}

}  // namespace

TEST_CASE("every package that setup installs is explained in the list of dependencies") {
  const std::string documented = text_of("docs/dependencies.md");
  std::set<std::string> packages;
  for (const std::string& array : all_matches(text_of("scripts/setup"), R"(packages=\(([^)]*)\))")) {
    packages.merge(all_matches(array, R"(([a-z0-9+.-]+))"));
  }
  CHECK(packages.contains("libeigen3-dev"));
  for (const std::string& package : packages) {
    INFO(package);
    CHECK(documented.find("`" + package + "`") != std::string::npos);
  }
}

TEST_CASE("every package that the build looks for is asked for by those who use the installed library") {
  const std::string build = text_of("cmake/HeadroomDependencies.cmake");
  const std::string consumer = text_of("cmake/headroomConfig.cmake.in");
  std::set<std::string> found = all_matches(build, R"(find_package\((\w+))");
  CHECK(found.contains("Eigen3"));
  for (const std::string not_of_libraries :
       {"CLI11", "spdlog", "SQLite3", "MPI", "PkgConfig", "benchmark", "LibTorch", "OneDNN"})
    found.erase(not_of_libraries);
  for (const std::string& package : found) {
    INFO(package);
    CHECK(consumer.find("find_dependency(" + package) != std::string::npos);
  }
}
