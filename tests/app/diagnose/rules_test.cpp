#include "app/diagnose/rules.hpp"

#include "catch.hpp"

using namespace headroom::app;  // NOLINT(google-build-using-namespace)

namespace {

HeadProfile quiet_head() {
  HeadProfile head;
  head.tokens = 100;
  head.active = 6;
  head.separable = 0.8;
  head.slope = 0.05;
  head.effective_temperature = 0.1;
  return head;
}

}  // namespace

TEST_CASE("a rule fires beyond its limit and not at it") {
  const RuleLimits limits;
  CHECK(fired_rules(quiet_head(), limits).empty());
  HeadProfile head = quiet_head();
  head.active = 6.01;
  CHECK(fired_rules(head, limits) == "active");
  head.separable = 0.79;
  head.slope = 0.06;
  head.effective_temperature = 0.09;
  CHECK(fired_rules(head, limits) == "active+separable+entropy+temperature");
  head.slope.reset();
  CHECK_FALSE(fired(Rule::entropy, head, limits));
}

TEST_CASE("a head is a sink first, then a retriever, else a mixer") {
  const RuleLimits limits;
  HeadProfile head = quiet_head();
  CHECK(head_group(head, limits) == "mixer");
  head.max_weight = 0.5;
  CHECK(head_group(head, limits) == "retriever");
  head.first_weight = 0.3;
  CHECK(head_group(head, limits) == "sink");
}
