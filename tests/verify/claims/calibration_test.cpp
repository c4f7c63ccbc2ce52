#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>

#include "catch.hpp"
#include "verify/claims/expectation.hpp"
#include "verify/statistics/intervals.hpp"
#include "verify/verdict.hpp"

using namespace headroom;
using verify::MeanBound;

namespace {

verify::ClaimText text(const std::string& id, verify::Kind kind) {
  verify::ClaimText about;
  about.id = id;
  about.kind = kind;
  return about;
}

constexpr double true_mean = 0.6;

// A share of eight tokens with mean 0.6, as N_s/N is one, bounded by its own mean over 1 + violation.
verify::ExpectationClaim share_claim(double violation, bool both_sides) {
  const auto grid = [=](verify::Preset) {
    verify::MeanCell cell;
    cell.parameters = {{"violation", violation}};
    cell.bounds = {{.name = "at most"}};
    if (both_sides) cell.bounds.push_back({.name = "at least", .side = MeanBound::Side::lower});
    cell.make_trial = [=] {
      return [=](sim::Stream& stream, std::span<verify::Sample> out) {
        double count = 0.0;
        for (int i = 0; i < 8; ++i) count += stream.uniform() < true_mean ? 1.0 : 0.0;
        for (verify::Sample& sample : out) sample = {.observed = count / 8.0, .bound = true_mean / (1.0 + violation)};
      };
    };
    return std::vector<verify::MeanCell>{cell};
  };
  return {text("share", verify::Kind::expectation), grid};
}

verify::Verdict verdict_of(const verify::ExpectationClaim& claim, verify::Preset preset, std::uint64_t seed) {
  verify::RunContext context;
  context.preset = preset;
  context.seed = seed;
  context.level = verify::family_level / static_cast<double>(claim.hypotheses(preset));
  const std::vector<verify::ClaimResult> results = {claim.run(context)};
  const std::vector<verify::Kind> kinds = {verify::Kind::expectation};
  return verify::decide(kinds, results).front().verdict;
}

std::uint64_t refuted(const verify::ExpectationClaim& claim, verify::Preset preset, std::uint64_t runs) {
  std::uint64_t count = 0;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    count += verdict_of(claim, preset, seed) == verify::Verdict::refuted ? 1U : 0U;
  }
  return count;
}

// The results of `runs` runs of a true claim whose bound is attained.
std::vector<verify::ClaimResult> null_results(std::uint64_t runs) {
  const verify::ExpectationClaim claim = share_claim(0.0, false);
  std::vector<verify::ClaimResult> results;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    verify::RunContext context;
    context.seed = seed;
    results.push_back(claim.run(context));
  }
  return results;
}

// How many of the results, judged in runs of `together` claims, belong to a run with a refutation.
std::uint64_t refuting_runs(const std::vector<verify::ClaimResult>& results, std::size_t together) {
  const std::vector<verify::Kind> kinds(together, verify::Kind::expectation);
  std::uint64_t count = 0;
  for (std::size_t first = 0; first < results.size(); first += together) {
    const auto decisions = verify::decide(kinds, std::span(results).subspan(first, together));
    count += std::ranges::any_of(decisions, [](const auto& one) { return one.verdict == verify::Verdict::refuted; });
  }
  return count;
}

bool matches_level(std::uint64_t refutations, std::uint64_t runs) {
  return verify::clopper_pearson(refutations, runs, 0.999).contains(verify::family_level);
}

}  // namespace

TEST_CASE("a true claim whose bound is attained is refuted as often as the level says, alone and among others",
          "[slow]") {
  const std::vector<verify::ClaimResult> results = null_results(2'000);
  CHECK(matches_level(refuting_runs(results, 1), 2'000));
  CHECK(matches_level(refuting_runs(results, 10), 200));

  // Ten claims tested without Holm's correction: the rate is ten times the level, and this test sees it.
  std::uint64_t uncorrected = 0;
  for (std::size_t first = 0; first < results.size(); first += 10) {
    const auto run = std::span(results).subspan(first, 10);
    uncorrected += std::ranges::any_of(
        run, [](const auto& one) { return one.hypotheses.front().p_value <= verify::family_level; });
  }
  CHECK_FALSE(matches_level(uncorrected, 200));
}

TEST_CASE("planted violations of 1, 3 and 10 % are found with the power that the trials were chosen for", "[slow]") {
  constexpr std::uint64_t runs = 300;
  for (const double violation : {0.01, 0.03, 0.1}) {
    const std::uint64_t count = refuted(share_claim(violation, false), verify::Preset::paper, runs);
    CAPTURE(violation, count);
    CHECK(verify::clopper_pearson(count, runs, 0.999).upper >= verify::required_power);
    if (violation > 0.02) CHECK(count == runs);
  }
}

TEST_CASE("the quick preset finds a violation of 5 %, and may miss one of 1 %") {
  constexpr std::uint64_t runs = 300;
  CHECK(verify::clopper_pearson(refuted(share_claim(0.05, false), verify::Preset::quick, runs), runs, 0.999).upper >=
        verify::required_power);
  CHECK(refuted(share_claim(0.01, false), verify::Preset::quick, runs) < runs / 2);
}

TEST_CASE("a true claim with room to spare holds, and one too noisy to tell is inconclusive") {
  CHECK(verdict_of(share_claim(-0.2, false), verify::Preset::quick, 1) == verify::Verdict::holds);

  verify::ClaimResult weak;
  weak.trials = 100;
  weak.hypotheses = {{"weak", 0.4, 0.6}};
  weak.hypothesis_cell = {0};
  const std::vector<verify::ClaimResult> results = {weak};
  const std::vector<verify::Kind> kinds = {verify::Kind::expectation};
  CHECK(verify::decide(kinds, results).front().verdict == verify::Verdict::inconclusive);
}

TEST_CASE("Holm's correction is over every hypothesis of the run, not those of one claim") {
  verify::ClaimResult one;
  one.hypotheses = {{"one", 0.004, 1.0}};
  std::vector<verify::ClaimResult> results(3, one);
  std::vector<verify::Kind> kinds(3, verify::Kind::expectation);
  for (const verify::Decision& decision : verify::decide(kinds, results)) {
    CHECK(decision.verdict == verify::Verdict::holds);
    CHECK(*decision.p_value == Approx(0.012));
  }
  results.resize(1);
  kinds.resize(1);
  CHECK(verify::decide(kinds, results).front().verdict == verify::Verdict::refuted);
}

TEST_CASE("a run that is stopped hands over the cells it finished") {
  std::size_t finished = 0;
  verify::RunContext context;
  context.finished = [&](const verify::CellRecord&) { ++finished; };
  std::atomic<std::size_t> polls = 0;  // asked by every thread
  context.stop = [&] { return ++polls > 40; };
  const auto grid = [](verify::Preset) {
    std::vector<verify::MeanCell> cells(50);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      cells[k].parameters = {{"k", static_cast<double>(k)}};
      cells[k].bounds = {{.name = "at most"}};
      cells[k].make_trial = [] {
        return [](sim::Stream& stream, std::span<verify::Sample> out) { out[0] = {stream.uniform(), 0.7}; };
      };
    }
    return cells;
  };
  const verify::ExpectationClaim claim(text("many", verify::Kind::expectation), grid);
  CHECK_THROWS_AS(claim.run(context), verify::Stopped);
  CHECK(finished >= 1);
  CHECK(finished < 50);
}
