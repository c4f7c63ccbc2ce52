#include "verify/claims/registry.hpp"

#include <set>

#include "catch.hpp"
#include "core/error.hpp"
#include "sim/normalizer.hpp"

using namespace headroom;

TEST_CASE("every claim says what it is, once") {
  std::set<std::string> ids;
  for (const verify::ClaimPointer& claim : verify::all_claims()) {
    const verify::ClaimText& text = claim->text();
    CAPTURE(text.id);
    CHECK(ids.insert(text.id).second);
    CHECK_FALSE(text.statement.empty());
    CHECK_FALSE(text.source.empty());
    CHECK_FALSE(text.assumptions.empty());
    for (const std::string& grid : text.grid) CHECK_FALSE(grid.empty());
  }
  for (const char* id :
       {"lemma1", "escape", "thm1.random.sharp", "cor2.ii", "critical-n", "thm2.upper", "law", "cor3"}) {
    CHECK(ids.contains(id));
  }
  for (const sim::EntryInfo& normalizer : sim::normalizer_list()) CHECK(ids.contains("jacobian." + normalizer.id));
}

TEST_CASE("claims come in their order whatever the order they are asked for in") {
  const auto claims = verify::claims_named({"law", "cor1"});
  REQUIRE(claims.size() == 2);
  CHECK(claims[0]->id() == "cor1");
  CHECK(claims[1]->id() == "law");
  CHECK(verify::claims_named({}).size() == verify::all_claims().size());
}

TEST_CASE("an unknown claim is answered with the nearest right one") {
  CHECK_THROWS_WITH(verify::claims_named({"thm2.uper"}), contains("thm2.upper"));
  CHECK_THROWS_AS(verify::claims_named({"thm2.uper"}), Error);
}
