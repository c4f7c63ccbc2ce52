#include "core/visibility.hpp"

#include "catch.hpp"

using headroom::Visibility;

TEST_CASE("causal queries are the last of the sequence") {
  const Visibility v = Visibility::causal(2, 5);
  CHECK(v.count(0) == 4);
  CHECK(v.count(1) == 5);
  CHECK(v.visible(0, 3));
  CHECK_FALSE(v.visible(0, 4));
}

TEST_CASE("a mask with holes keeps its count and is not contiguous") {
  const Visibility v = Visibility::mask(2, 4, {0, 1, 0, 1, 0, 1, 1, 0});
  CHECK(v.count(0) == 2);
  CHECK_FALSE(v.contiguous(0));
  CHECK(v.contiguous(1));
  CHECK(v.range(0).begin == 1);
  CHECK(v.range(0).end == 4);
  CHECK_FALSE(v.visible(0, 2));
}

TEST_CASE("a mask without holes equals the ranges it describes") {
  const Visibility v = Visibility::mask(2, 3, {1, 1, 0, 1, 1, 1});
  CHECK(v.contiguous(0));
  CHECK(v.count(0) == 2);
  CHECK_FALSE(v.visible(0, 2));
  CHECK(v.visible(1, 2));
}

TEST_CASE("a query that sees nothing has count zero") {
  const Visibility v = Visibility::mask(1, 3, {0, 0, 0});
  CHECK(v.count(0) == 0);
  CHECK(v.contiguous(0));
}

TEST_CASE("a slice sees what its queries saw, holes included") {
  const Visibility whole = Visibility::mask(4, 3, {1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 1});
  const Visibility middle = whole.slice(1, 3).slice(0, 2);
  REQUIRE(middle.queries() == 2);
  CHECK(middle.tokens() == 3);
  for (std::size_t query = 0; query < 2; ++query) {
    CHECK(middle.count(query) == whole.count(query + 1));
    CHECK(middle.contiguous(query) == whole.contiguous(query + 1));
    for (std::size_t token = 0; token < 3; ++token) {
      CHECK(middle.visible(query, token) == whole.visible(query + 1, token));
    }
  }
}
