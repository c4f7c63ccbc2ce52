#include "sim/hash.hpp"

#include "catch.hpp"

using headroom::sim::hash64;

TEST_CASE("the cell hash is FNV-1a: the published test vectors") {
  // draft-eastlake-fnv, "FNV Test Vectors", 64-bit FNV-1a.
  STATIC_REQUIRE(hash64("") == 0xcbf29ce484222325u);
  STATIC_REQUIRE(hash64("a") == 0xaf63dc4c8601ec8cu);
  STATIC_REQUIRE(hash64("foobar") == 0x85944171f73967e8u);
}

TEST_CASE("bytes above 127 hash alike whether char is signed or not") { CHECK(hash64("\xff") == 0xaf64724c8602eb6eu); }
