#include "verify/sweep/claims_kind.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "catch.hpp"
#include "core/error.hpp"
#include "verify/claims/registry.hpp"

using namespace headroom::verify::sweep;  // NOLINT(google-build-using-namespace)
using headroom::verify::Moments;

namespace {

using Given = std::map<std::string, Value>;

// A point of the kind with its defaults for what is not given.
std::vector<Value> point(const Given& given) {
  std::vector<Value> values;
  for (const GridKey& key : ClaimsKind().keys()) {
    const auto at = given.find(key.name);
    values.push_back(at != given.end() ? at->second : key.fallback.value_or(16.0));
  }
  return values;
}

const std::vector<std::uint64_t> no_groups = {0};

std::map<std::string, Moments> values_of(const Record& record) {
  return {record.groups[0].values.begin(), record.groups[0].values.end()};
}

std::map<std::string, Moments> run(const Given& given, std::uint64_t trials) {
  const auto work = ClaimsKind().begin(point(given), no_groups, 1, nullptr);
  CHECK(work->run(trials, {}));
  return values_of(work->record());
}

// In three goes, each from what the one before has saved, on other numbers of threads.
std::string in_goes(const TrialCell& cell, std::uint64_t trials) {
  const int before = omp_get_max_threads();
  Record saved;
  for (int go = 1; go <= 3; ++go) {
    omp_set_num_threads(go);
    TrialWork work(cell, 5, go == 1 ? nullptr : &saved);
    CHECK(work.run(trials * static_cast<std::uint64_t>(go) / 3, {}));
    saved = work.record();
  }
  omp_set_num_threads(before);
  return record_line(saved);
}

std::string in_one(const TrialCell& cell, std::uint64_t trials) {
  TrialWork work(cell, 5, nullptr);
  CHECK(work.run(trials, {}));
  return record_line(work.record());
}

TrialCell cell_of(const Given& given) {
  ClaimChoice choice;
  choice.claim = headroom::verify::claims_named({std::get<std::string>(given.at("claim"))}).front();
  choice.cell.head = {.length = 16, .dim = 8, .logits = "", .normalizer = ""};
  choice.cell.top = 4;
  choice.check();
  return claim_cell(choice);
}

}  // namespace

TEST_CASE("a cell of a claim has the same bytes in one go and in several on other numbers of threads") {
  for (const char* claim : {"thm1.fixed", "thm2.upper", "law"}) {
    const TrialCell cell = cell_of({{"claim", claim}});
    CHECK(in_goes(cell, 3000) == in_one(cell, 3000));
  }
  // One that remembers the trial before does not.
  TrialCell wrong{"wrong", {"value"}, [] {
                    return
                        [last = 0.0](headroom::sim::Stream& stream, std::span<std::optional<double>> values) mutable {
                          values[0] = last = 0.5 * last + stream.uniform();
                        };
                  }};
  CHECK(in_goes(wrong, 3000) != in_one(wrong, 3000));
}

TEST_CASE("a stopped cell keeps the trials before the gap, and goes on from there to the same bytes") {
  const TrialCell cell = cell_of({{"claim", "thm1.fixed.sharp"}});
  TrialWork work(cell, 5, nullptr);
  std::atomic<int> polls{0};
  CHECK_FALSE(work.run(5000, [&] { return ++polls > 2500; }));
  CHECK(work.trials() >= 1024);
  CHECK(work.trials() <= 2500);
  const Record saved = work.record();
  TrialWork rest(cell, 5, &saved);
  CHECK(rest.run(5000, {}));
  CHECK(record_line(rest.record()) == in_one(cell, 5000));
}

TEST_CASE("the cell that refutes Theorem 2's printed upper bound has an excess of 0.27, and the law has none") {
  const Given cell = {
      {"claim", "thm2.upper"}, {"length", 256.0}, {"dim", 768.0}, {"top", 64.0}, {"logits", "step:k=64,low=1e-6"}};
  const auto upper = run(cell, 200);
  CHECK(std::abs(upper.at("observed").mean - 0.959) < 0.005);
  CHECK(std::abs(upper.at("upper").mean - 0.691) < 0.005);
  CHECK(std::abs(upper.at("upper_excess").mean - (upper.at("observed").mean - upper.at("upper").mean)) < 1e-12);
  const auto law = run({{"claim", "law"}, {"length", 64.0}, {"dim", 16.0}, {"top", 4.0}}, 2000);
  CHECK(law.at("upper_excess").mean < 0);
  CHECK(law.at("lower_excess").mean < 0);
}

TEST_CASE("inputs that violate a claim are counted, and only those") {
  const auto printed = run({{"claim", "cor3"}, {"length", 2.0}}, 500);
  const auto sharp = run({{"claim", "cor3.sharp"}, {"length", 2.0}}, 500);
  CHECK(printed.at("violations").count == 500);
  CHECK(printed.at("violations").mean > 0.5);
  CHECK(sharp.at("violations").mean == 0);
  CHECK(sharp.at("tightness").mean < 1);
  const auto vacuous = run({{"claim", "cor2.ii"}, {"length", 8.0}, {"dim", 4.0}}, 50);
  CHECK(vacuous.at("trivial").mean == 1);
  CHECK_FALSE(vacuous.contains("tightness"));
}

TEST_CASE("every claim but the one that is a single experiment has cells, named by what it has and nothing else") {
  const ClaimsKind kind;
  for (const std::string& id : headroom::verify::claim_ids()) {
    Given given = {{"claim", id}, {"length", 8.0}};
    if (id == "critical-n") {
      CHECK_THROWS_WITH(kind.identify(point(given), no_groups), contains("one experiment"));
      continue;
    }
    // dim and top where it asks for them.
    for (const char* key : {"dim", "top"}) {
      try {
        static_cast<void>(kind.identify(point(given), no_groups));
      } catch (const headroom::Error& error) {
        if (std::string(error.what()).find(key) != std::string::npos) given[key] = 3.0;
      }
    }
    if (given.contains("top") || id == "collapse" || id == "cor2.ii") given["dim"] = 3.0;
    CAPTURE(id);
    const std::string text = kind.identify(point(given), no_groups).of;
    CHECK_THAT(text, contains("claim=" + id + ";length=8"));
    const auto work = kind.begin(point(given), no_groups, 1, nullptr);
    CHECK(work->run(3, {}));
    const Record record = work->record();
    CHECK(record.of == text);
    CHECK_FALSE(record.groups[0].values.empty());
    for (const auto& value : record.groups[0].values) {
      CHECK(std::find(claim_quantities().begin(), claim_quantities().end(), value.first) != claim_quantities().end());
    }
  }
}

TEST_CASE("what a claim cannot be asked is refused by name") {
  const ClaimsKind kind;
  const auto refused = [&](const Given& given, const std::string& said) {
    CHECK_THROWS_WITH(kind.identify(point(given), no_groups), contains(said));
  };
  refused({{"claim", "cor4"}}, "did you mean cor");
  refused({{"claim", "cor1"}, {"dim", 4.0}}, "the claim cor1 has no dim");
  refused({{"claim", "cor1"}, {"margin", 2.0}}, "the claim cor1 has no margin");
  refused({{"claim", "cor1"}, {"normalizer", "sparsemax"}}, "not about sparsemax");
  refused({{"claim", "jacobian.sparsemax"}, {"normalizer", "softmax"}}, "not about softmax");
  refused({{"claim", "law"}, {"dim", 1.0}, {"top", 2.0}}, "at least 2");
  refused({{"claim", "law"}, {"dim", 4.0}, {"top", 16.0}}, "1 <= N <= L - 1 = 15");
  refused({{"claim", "thm2.sharp"}, {"dim", 4.0}, {"top", 1.0}}, "2 <= N");
  refused({{"claim", "thm2.lower"}, {"dim", 4.0}}, "N = 0");
  refused({{"claim", "law"}, {"dim", 4.0}, {"top", 2.0}, {"logits", "gausian"}}, "gaussian");
  refused({{"claim", "law"}, {"dim", 4.0}, {"top", 2.0}, {"logits", "file:x.npy"}}, "drawn, not recorded");
  refused({{"claim", "law"}, {"dim", 4.0}, {"top", 2.0}, {"normalizer", "sasoftmax"}}, "can be negative");
  refused({{"claim", "thm2.upper"}, {"dim", 2.0}, {"top", 2.0}, {"separation", 1.0}}, "separation");
  refused({{"claim", "coverage"}, {"dim", 4.0}, {"top", 2.0}, {"correlation", 1.5}}, "from 0 to 1");
}
