#include "tests/repository/doc_paths.hpp"

#include "catch.hpp"

using namespace headroom::repository;  // NOLINT(google-build-using-namespace)

namespace {

std::vector<std::string> stale(const std::string& text) { return stale_paths({"docs/a.md", text}, HEADROOM_SOURCE); }

}  // namespace

TEST_CASE("every path and link of the documents exists") {
  std::vector<SourceFile> documents = read_tree(HEADROOM_SOURCE, "docs", {".md"});
  for (const char* path : {"README.md", "CHANGELOG.md"}) documents.push_back(read_file(HEADROOM_SOURCE, path));
  for (const SourceFile& document : documents) {
    CHECK_FALSE(document.text.empty());
    const std::vector<std::string> findings = stale_paths(document, HEADROOM_SOURCE);
    INFO(joined(findings));
    CHECK(findings.empty());
  }
}

TEST_CASE("a path that is gone is named by file and line") {
  CHECK(stale("see\n`core/gone.hpp`") == std::vector<std::string>{"docs/a.md:2: there is no core/gone.hpp"});
  CHECK(stale("run `scripts/gone --flag`").size() == 1);
  CHECK(stale("was `gone/gone.hpp`").size() == 1);
  CHECK(stale("```\nscripts/gone\n```").size() == 1);
  CHECK(stale("```\n$ ./scripts/gone\n```").size() == 1);
}

TEST_CASE("a folder that is gone from the listing of a tree is found") {
  CHECK(stale("```\ncore/   what rooms share\ngone/   a room that was\n```") ==
        std::vector<std::string>{"docs/a.md:3: there is no gone/"});
}

TEST_CASE("a link that leads nowhere is found, and one elsewhere is left alone") {
  CHECK(stale("[a](gone.md#part) ![b](../core/gone.svg)").size() == 2);
  CHECK(stale("[a](../core/error.hpp) [b](https://example.org/gone)").empty());
}

TEST_CASE("what is no path of the repository is not taken for one") {
  CHECK(
      stale("`core/error.hpp`, `core/`, `N_s/N`, `core/*.hpp`, `build/default/headroom`, `application/json`").empty());
  CHECK(stale("```\nheadroom measure -o out/result\n```").empty());
}
