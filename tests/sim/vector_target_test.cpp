#include "sim/vector_target.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "targets.hpp"

using namespace headroom::sim;

TEST_CASE("a forced vector target is the one in use, whatever the case of its name") {
  const std::vector<std::string> all = vector_targets();
  REQUIRE_FALSE(all.empty());
  REQUIRE(vector_target() == all.front());
  for (const std::string& name : all) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    use_vector_target(lower);
    CHECK(vector_target() == name);
    CHECK(vector_targets() == std::vector<std::string>{name});
  }
  use_vector_target(all.front());
  test::on_every_target([] {});  // back to all
}

TEST_CASE("an unknown vector target is refused with those there are") {
  try {
    use_vector_target("AVX");
    FAIL("accepted");
  } catch (const headroom::Error& error) {
    CHECK(error.fault() == headroom::Fault::usage);
    CHECK(std::string(error.what()).find(vector_targets().front()) != std::string::npos);
  }
}
