#include "verify/claims/pointwise.hpp"

#include <omp.h>

#include <cmath>

#include "catch.hpp"
#include "theory/distance.hpp"
#include "verify/claims/exact.hpp"
#include "verify/claims/inequalities.hpp"
#include "verify/claims/point_row.hpp"
#include "verify/claims/registry.hpp"
#include "verify/verdict.hpp"

using namespace headroom;
using verify::Exact;

namespace {

verify::ClaimText text(const std::string& id, verify::Kind kind) {
  verify::ClaimText about;
  about.id = id;
  about.kind = kind;
  return about;
}

const verify::PointwiseClaim& pointwise(const std::string& id) {
  return dynamic_cast<const verify::PointwiseClaim&>(*verify::claims_named({id}).front());
}

// The printed bound of Theorem 1 without its second term.
template <class Real>
verify::Outcome half_bound(const verify::PointInput& input) {
  const verify::PointRow<Real> row(input);
  const theory::Selection selection = theory::select_top<Real>(row.weights, input.shape.top);
  Real longest(0);
  for (const std::size_t i : selection.rest) {
    for (const std::size_t j : selection.selected) {
      const Real apart =
          theory::norm_of_difference<Real>(Real(1), row.view().vectors.row(i), Real(1), row.view().vectors.row(j));
      if (apart > longest) longest = apart;
    }
  }
  verify::Inequalities<Real> claims;
  claims.at_most(verify::observe(row, input.shape.top).distance,
                 Real(longest * theory::mass<Real>(row.weights, selection.rest)), Real(0));
  return claims.worst();
}

verify::PointwiseClaim broken_claim() {
  const auto grid = [](verify::Preset) {
    return std::vector<verify::PointCell>{{{.length = 16, .dim = 4, .top = 3}, 200},
                                          {{.length = 4, .dim = 2, .top = 1}, 200}};
  };
  return {text("broken", verify::Kind::pointwise), {.vectors = true}, half_bound<double>, half_bound<Exact>, grid};
}

verify::Decision decision_of(const verify::ClaimResult& result) {
  const std::vector<verify::ClaimResult> results = {result};
  const std::vector<verify::Kind> kinds = {verify::Kind::pointwise};
  return verify::decide(kinds, results).front();
}

}  // namespace

TEST_CASE("the distance bound with a term dropped is refuted, by the smallest input that shows it") {
  const verify::PointwiseClaim claim = broken_claim();
  const verify::ClaimResult result = claim.run({});
  CHECK(decision_of(result).verdict == verify::Verdict::refuted);
  REQUIRE(result.counterexample);
  CHECK(result.counterexample->shape.length == 4);
  CHECK(claim.evaluate_exactly(*result.counterexample).violated());
}

TEST_CASE("a would-be violation that more digits do not confirm refutes nothing") {
  const auto grid = [](verify::Preset) { return std::vector<verify::PointCell>{{{.length = 3}, 100}}; };
  const auto rough = [](const verify::PointInput&) {
    return verify::Outcome{.observed = 1.001, .bound = 1.0, .excess = 0.001};
  };
  const auto exact = [](const verify::PointInput&) { return verify::Outcome{.observed = 1.0, .bound = 1.0}; };
  const verify::ClaimResult result =
      verify::PointwiseClaim(text("rough", verify::Kind::pointwise), {}, rough, exact, grid).run({});
  CHECK(result.rechecked == 100);
  CHECK(*result.violations == 0);
  const verify::Decision decision = decision_of(result);
  CHECK(decision.verdict == verify::Verdict::holds);
  CHECK(*decision.violation_limit == Approx(1.0 - std::pow(0.01, 0.01)));
}

TEST_CASE("every pointwise claim gives the same outcome in double and in 168 bits, but for rounding") {
  for (const verify::ClaimPointer& claim : verify::all_claims()) {
    const auto* point = dynamic_cast<const verify::PointwiseClaim*>(claim.get());
    if (point == nullptr) continue;
    sim::Stream stream(7, 11, 0);
    for (const verify::PointCell& cell : point->grid(verify::Preset::quick)) {
      if (cell.shape.length > 24) continue;
      for (int trial = 0; trial < 6; ++trial) {
        const verify::PointInput input = verify::draw_input(stream, cell.shape, point->domain());
        const verify::Outcome rough = point->evaluate(input);
        const verify::Outcome exact = point->evaluate_exactly(input);
        CAPTURE(claim->id(), cell.shape.length, cell.shape.normalizer, trial, rough.observed, exact.observed);
        // Equality up to an accuracy is judged by the accuracy; everything else to nine digits of its scale.
        if (claim->id().starts_with("jacobian.")) {
          CHECK(rough.violated() == exact.violated());
        } else {
          CHECK(std::abs(rough.severity() - exact.severity()) < 1e-9);
        }
      }
    }
  }
}

// Tied extrema, two thirds of the draws, are kinks of sasoftmax-norm.
TEST_CASE("the Jacobian of enough inputs drawn is judged, not passed over as a kink") {
  for (const char* id : {"jacobian.softmax", "jacobian.entmax", "jacobian.sasoftmax-norm", "jacobian.sigmoid"}) {
    sim::Stream stream(2, 3, 0);
    const verify::PointwiseClaim& claim = pointwise(id);
    const verify::Shape shape{.length = 5, .normalizer = std::string(id).substr(9)};
    int judged = 0;
    for (int trial = 0; trial < 60; ++trial) {
      judged += claim.evaluate(verify::draw_input(stream, shape, claim.domain())).trivial ? 0 : 1;
    }
    CAPTURE(id, judged);
    CHECK(judged >= 12);
  }
}

TEST_CASE("two equal logits refute the printed gradient bound, and attain the sharp one") {
  verify::PointInput input;
  input.shape.length = 2;
  input.logits = {0.5, 0.5};
  input.temperature = 0.25;
  const verify::Outcome printed = pointwise("cor3").evaluate_exactly(input);
  CHECK(printed.violated());
  CHECK(printed.observed == Approx(2.0));
  CHECK(printed.bound == Approx(1.0));
  input.temperature = 0.01;
  CHECK(pointwise("cor3").evaluate_exactly(input).bound == Approx(std::sqrt(2.0)));
  const verify::Outcome sharp = pointwise("cor3.sharp").evaluate_exactly(input);
  CHECK_FALSE(sharp.violated());
  CHECK(sharp.tightness() == Approx(1.0));
}

TEST_CASE("an input survives the way into one vector and back, within the box it came from") {
  sim::Stream stream(3, 5, 0);
  for (const char* id : {"lemma1", "thm1.fixed", "cor3.sharp"}) {
    const verify::PointwiseClaim& claim = pointwise(id);
    const verify::Shape shape = claim.grid(verify::Preset::quick).back().shape;
    CHECK(claim.domain().admits(shape));
    const verify::PointInput input = verify::draw_input(stream, shape, claim.domain());
    const std::vector<double> flat = verify::flatten(input, claim.domain());
    const verify::Box limits = verify::box(shape, claim.domain());
    REQUIRE(limits.lower.size() == flat.size());
    for (std::size_t i = 0; i < flat.size(); ++i) {
      CHECK(flat[i] >= limits.lower[i] - 1e-12);
      CHECK(flat[i] <= limits.upper[i] + 1e-12);
    }
    const verify::PointInput back = verify::unflatten(shape, claim.domain(), flat);
    CHECK(back.logits == input.logits);
    CHECK(back.vectors == input.vectors);
    CHECK(back.direction == input.direction);
    CHECK(back.temperature == Approx(input.temperature));
  }
}

TEST_CASE("claims give the same result for any number of threads") {
  const auto run = [](const std::string& id, int threads) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    verify::RunContext context;
    context.seed = 5;
    const verify::ClaimResult result = verify::claims_named({id}).front()->run(context);
    omp_set_num_threads(before);
    return result;
  };
  for (const char* id : {"thm2.lower", "thm2.sharp"}) {
    const verify::ClaimResult one = run(id, 1);
    const verify::ClaimResult three = run(id, 3);
    CHECK(one.trials == three.trials);
    CHECK(one.worst->observed == three.worst->observed);
    CHECK(one.tightness->q95 == three.tightness->q95);
    for (std::size_t k = 0; k < one.hypotheses.size(); ++k) {
      CHECK(one.hypotheses[k].p_value == three.hypotheses[k].p_value);
    }
  }
}
