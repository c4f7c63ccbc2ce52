#include "core/nearest.hpp"

#include <array>
#include <string>

#include "catch.hpp"

using headroom::nearest;

TEST_CASE("a misspelt name is answered with the right one") {
  const std::array<std::string, 4> names = {"softmax", "sparsemax", "sigmoid", "entmax"};
  CHECK(nearest("softmx", names) == "softmax");
  CHECK(nearest("SPARSEMAX", names) == "sparsemax");
  CHECK(nearest("sigmiod", names) == "sigmoid");
  CHECK(nearest("", names) == "entmax");
}

TEST_CASE("the beginning of one name alone is answered with the whole name") {
  const std::array<std::string, 4> names = {"--yes", "--retry-failed", "--rank-timeout", "--reset"};
  CHECK(nearest("--retry", names) == "--retry-failed");
  CHECK(nearest("--rank", names) == "--rank-timeout");
  CHECK(nearest("--re", names) == "--yes");  // two names begin so
}

TEST_CASE("without candidates there is no suggestion") { CHECK(nearest("softmax", {}).empty()); }
