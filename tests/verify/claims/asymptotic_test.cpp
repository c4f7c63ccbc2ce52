#include "verify/claims/asymptotic.hpp"

#include <cmath>

#include "catch.hpp"
#include "verify/verdict.hpp"

using namespace headroom;

namespace {

verify::ClaimText text(const std::string& id, verify::Kind kind) {
  verify::ClaimText about;
  about.id = id;
  about.kind = kind;
  return about;
}

// y = limit + x^{−1}, with noise of a standard deviation per trial.
verify::Series noisy_series(double limit, double stated) {
  verify::Series series;
  series.value = stated;
  series.rates = {0.5, 2.0};
  for (const std::size_t x : verify::growing_lengths(16, 1024)) {
    verify::MeanCell cell;
    cell.parameters = {{"x", static_cast<double>(x)}, {"stated", stated}};
    cell.measured = {"y"};
    cell.make_trial = [=] {
      return [=](sim::Stream& stream, std::span<verify::Sample> out) {
        out[0].observed = limit + 1.0 / static_cast<double>(x) + 0.2 * stream.normal();
      };
    };
    series.x.push_back(static_cast<double>(x));
    series.cells.push_back(std::move(cell));
  }
  return series;
}

double p_of(double limit, double stated, std::uint64_t seed) {
  const verify::AsymptoticClaim claim(text("limit", verify::Kind::asymptotic), [=](verify::Preset) {
    return std::vector<verify::Series>{noisy_series(limit, stated)};
  });
  verify::RunContext context;
  context.seed = seed;
  return claim.run(context).hypotheses.front().p_value;
}

}  // namespace

TEST_CASE("a stated limit that is the true one is rarely excluded, and one that is off is") {
  int excluded = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) excluded += p_of(1.0, 1.0, seed) <= verify::family_level ? 1 : 0;
  CHECK(excluded <= 3);
  CHECK(p_of(1.0, 1.2, 1) <= 1e-4);
  CHECK(p_of(1.0, 0.8, 1) <= 1e-4);
}

TEST_CASE("the limit of computed values lies in the interval of their extrapolation") {
  for (const double rate : {0.5, 1.0, 2.0}) {
    std::vector<double> y;
    for (int k = 6; k < 16; ++k) {
      const double small = std::exp2(-rate * k);
      y.push_back(3.0 + small + 2.0 * small * small);
    }
    const verify::Interval interval = verify::aitken_interval(y);
    CAPTURE(rate, interval.lower, interval.upper);
    CHECK(interval.contains(3.0));
    CHECK_FALSE(interval.contains(3.01));
  }
}
