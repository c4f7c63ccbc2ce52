#include "tests/repository/include_arrows.hpp"

#include "catch.hpp"

using namespace headroom::repository;  // NOLINT(google-build-using-namespace)

TEST_CASE("no room includes what the arrows forbid") {
  std::size_t read = 0;
  for (const std::string& room : rooms()) {
    const std::vector<SourceFile> files = read_tree(HEADROOM_SOURCE, room, {".hpp", ".cpp"});
    read += files.size();
    const std::vector<std::string> findings = forbidden_includes(files);
    INFO(joined(findings));
    CHECK(findings.empty());
  }
  CHECK(read > 0);
}

TEST_CASE("an include against the arrows is named by file and line") {
  const std::vector<SourceFile> files = {
      {"theory/bounds.hpp", "#pragma once\n#include <span>\n#include \"sim/rng.hpp\"\n"}};
  CHECK(forbidden_includes(files) ==
        std::vector<std::string>{"theory/bounds.hpp:3: theory must not include sim/rng.hpp"});
}

TEST_CASE("every forbidden pair of rooms is caught, with either kind of bracket") {
  const auto caught = [](const std::string& room, const std::string& target) {
    const bool quoted = forbidden_includes({{room + "/a.cpp", "#include \"" + target + "/b.hpp\"\n"}}).size() == 1;
    const bool angled = forbidden_includes({{room + "/a.cpp", "  #  include <" + target + "/b.hpp>\n"}}).size() == 1;
    CHECK(quoted == angled);
    return quoted;
  };
  for (const char* room : {"theory", "sim", "model", "verify", "app"}) CHECK(caught("core", room));
  for (const char* room : {"sim", "model", "verify", "app"}) CHECK(caught("theory", room));
  for (const char* room : {"theory", "model", "verify", "app"}) CHECK(caught("sim", room));
  for (const char* room : {"theory", "sim", "verify", "app"}) CHECK(caught("model", room));
  for (const char* room : {"model", "app"}) CHECK(caught("verify", room));
  for (const char* room : {"core", "theory", "sim"}) CHECK_FALSE(caught("verify", room));
  for (const char* room : {"core", "theory", "sim", "model", "verify"}) CHECK_FALSE(caught("app", room));
}

TEST_CASE("an include relative to its own file is caught") {
  const std::vector<SourceFile> files = {{"theory/bounds.cpp", "#include \"bounds.hpp\"\n"},
                                         {"theory/bounds.hpp", ""},
                                         {"theory/law/law.cpp", "#include \"../bounds.hpp\"\n"}};
  CHECK(forbidden_includes(files).size() == 2);
}
