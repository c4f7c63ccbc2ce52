#include "verify/attack/claim_attack.hpp"

#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "verify/attack/cell_search.hpp"
#include "verify/attack/point_search.hpp"
#include "verify/claims/registry.hpp"

using namespace headroom::verify;

namespace {

const Claim& claim(const std::string& id) { return *claims_named({id}).front(); }

const PointwiseClaim& pointwise(const std::string& id) { return dynamic_cast<const PointwiseClaim&>(claim(id)); }

ClaimResult attacked(const std::string& id) {
  ClaimResult result;
  result.id = id;
  ClaimAttack().run(claim(id), RunContext{}, result);
  return result;
}

}  // namespace

TEST_CASE("cor3 falls at two equal logits, where the norm is 1/(2T) and the bound 1/(4T)") {
  const ClaimResult result = attacked("cor3");
  REQUIRE(result.counterexample);
  const PointInput& smallest = *result.counterexample;
  CHECK(smallest.logits == std::vector<double>{0.0, 0.0});
  CHECK(smallest.temperature == 1.0);
  const Outcome outcome = pointwise("cor3").evaluate_exactly(smallest);
  CHECK(outcome.violated());
  CHECK(outcome.observed == 0.5);
  CHECK(outcome.bound == 0.25);
}

TEST_CASE("cor3's cap of sqrt 2 falls at the smallest temperature, from random starts alone") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const FoundInput found = search_worst(pointwise("cor3"), {.seed = seed, .structured = false});
    CAPTURE(seed, found.input.temperature, found.outcome.observed);
    CHECK(found.outcome.violated());
    CHECK(found.outcome.bound == std::numbers::sqrt2);
    CHECK(found.input.temperature < 0.0015);
    // Only two equal logits far ahead of the rest attain 1/(2T).
    CHECK(found.outcome.observed > 0.99 / (2 * found.input.temperature));
    CHECK(found.outcome.observed <= (1 + 1e-12) / (2 * found.input.temperature));
  }
}

TEST_CASE("claims that are proved stand the attack, and bounds that are attained are reached") {
  for (const char* id :
       {"lemma1.sharp", "cor1.sharp", "thm1.fixed", "thm1.fixed.sharp", "thm2.lower.sharp", "cor3.sharp"}) {
    const FoundInput found = search_worst(pointwise(id), {});
    CAPTURE(id, found.outcome.observed, found.outcome.bound);
    CHECK_FALSE(found.outcome.violated());
    CHECK(found.outcome.severity() > -1e-9);
  }
}

TEST_CASE("a bound that is wrong by a millionth is found out, one that is right is not") {
  const PointwiseClaim& right = pointwise("cor3.sharp");
  for (const double factor : {1.0, 1.0 - 1e-6}) {
    const auto planted = [factor](Outcome outcome) {
      outcome.excess += (1.0 - factor) * outcome.bound;
      outcome.bound *= factor;
      return outcome;
    };
    const PointwiseClaim claim_to_test(
        right.text(), right.domain(), [&](const PointInput& input) { return planted(right.evaluate(input)); },
        [&](const PointInput& input) { return planted(right.evaluate_exactly(input)); },
        [](Preset) {
          return std::vector<PointCell>{{{.length = 2}, 2000}, {{.length = 4}, 2000}};
        });
    CHECK(search_worst(claim_to_test, {.structured = false}).outcome.violated() == (factor < 1.0));
  }
}

TEST_CASE("the worst input lies in the claim's domain, to the last bit") {
  const PointwiseClaim& model = pointwise("cor3.sharp");
  for (const double sign : {-1.0, 1.0}) {
    const auto evaluate = [sign](const PointInput& input) {
      const double observed = sign * std::log(input.temperature * input.epsilon);
      return Outcome{.observed = observed, .bound = -100.0, .excess = observed + 100.0};
    };
    const PointwiseClaim extreme(model.text(), model.domain(), evaluate, evaluate, [](Preset) {
      return std::vector<PointCell>{{{.length = 3}, 2000}};
    });
    const FoundInput found = search_worst(extreme, {});
    const auto at_the_end = [sign](double value, Range range) {
      CHECK(range.lower <= value);
      CHECK(value <= range.upper);
      CHECK(value == Approx(sign < 0.0 ? range.lower : range.upper).epsilon(1e-12));
    };
    at_the_end(found.input.temperature, model.domain().temperature);
    at_the_end(found.input.epsilon, model.domain().epsilon);
  }
}

TEST_CASE("an attack depends on its seed and nothing else") {
  const FoundInput one = search_worst(pointwise("lemma2"), {.seed = 5});
  const FoundInput again = search_worst(pointwise("lemma2"), {.seed = 5});
  CHECK(one.input.logits == again.input.logits);
  CHECK(one.input.temperature == again.input.temperature);
}

TEST_CASE("an attack that is told to stop stops") {
  ClaimResult result;
  RunContext context;
  context.stop = [] { return true; };
  CHECK_THROWS_AS(ClaimAttack().run(claim("cor3"), context, result), Stopped);
  CHECK_THROWS_AS(ClaimAttack().run(claim("thm2.upper"), context, result), Stopped);
}

TEST_CASE("a search over cells reaches a refutation of thm2.upper", "[slow]") {
  const ClaimResult result = attacked("thm2.upper");
  REQUIRE(result.hypotheses.size() == ClaimAttack().hypotheses(claim("thm2.upper"), Preset::quick));
  CHECK(result.hypotheses.front().p_value < 1e-6);
  REQUIRE(result.worst);
  CHECK(result.worst->observed > result.worst->bound);
}
