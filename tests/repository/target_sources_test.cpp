#include "tests/repository/target_sources.hpp"

#include <algorithm>

#include "catch.hpp"
#include "tests/repository/include_arrows.hpp"

using namespace headroom::repository;  // NOLINT(google-build-using-namespace)

TEST_CASE("every source file belongs to a target") {
  for (const std::string& room : rooms()) {
    for (const std::string& folder : {room, "tests/" + room}) {
      const std::vector<std::string> findings =
          unbuilt_sources(read_tree(HEADROOM_SOURCE, folder, {".cpp"}), HEADROOM_SOURCE);
      INFO(joined(findings));
      CHECK(findings.empty());
    }
  }
}

TEST_CASE("a source file in no target is named") {
  CHECK(unbuilt_sources({{"core/forgotten.cpp", ""}, {"core/error.cpp", ""}}, HEADROOM_SOURCE) ==
        std::vector<std::string>{"core/forgotten.cpp is in no target"});
}

TEST_CASE("no source file is longer than 500 lines") {
  for (const std::string& room : rooms()) {
    for (const std::string& folder : {room, "tests/" + room}) {
      for (const SourceFile& file : read_tree(HEADROOM_SOURCE, folder, {".hpp", ".cpp"})) {
        INFO(file.path);
        CHECK(std::ranges::count(file.text, '\n') <= 500);
      }
    }
  }
}
