#include <omp.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "app/run.hpp"
#include "app/verify/claims_text.hpp"
#include "app/verify/expected.hpp"
#include "catch.hpp"
#include "core/error.hpp"
#include "verify/claims/registry.hpp"

using namespace headroom;
using app::test::content;
using app::test::Outcome;
using app::test::run;
using app::test::TemporaryFolder;
using nlohmann::json;

namespace {

const std::string source = HEADROOM_SOURCE;

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

// The verdicts of a run against expected.toml, and its cells against its verdicts.
void check_run(const std::string& folder, std::size_t claims) {
  const json document = json::parse(content(folder + "/verdicts.json"));
  CHECK(document["schema"] == "headroom.verdicts/1");
  CHECK(document["complete"] == true);
  CHECK(document["claims"].size() == claims);
  const app::ExpectedVerdicts expected = app::read_expected(source + "/results/expected.toml", verify::claim_ids());
  std::map<std::string, std::uint64_t> trials;
  for (const json& cell : lines_of(content(folder + "/cells.jsonl"))) {
    trials[cell["claim"].get<std::string>()] += cell["trials"].get<std::uint64_t>();
  }
  for (const json& claim : document["claims"]) {
    const auto id = claim["id"].get<std::string>();
    CAPTURE(id, claim["reason"]);
    CHECK(claim["verdict"] == name(expected.at(id)));
    CHECK(claim["expected"] == name(expected.at(id)));
    CHECK(claim["trials"] == trials[id]);
    if (claim["verdict"] == "refuted") CHECK(claim.contains("worst"));
    if (claim["verdict"] == "refuted" && claim["kind"] == "pointwise") CHECK(claim.contains("counterexample"));
  }
}

}  // namespace

TEST_CASE("every claim comes out as expected in the quick preset", "[slow]") {
  const TemporaryFolder folder;
  const Outcome outcome = run({"verify", "--preset", "quick", "-o", folder / "run"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, contains("every verdict as expected"));
  check_run(folder / "run", verify::all_claims().size());
}

TEST_CASE("the committed run of the paper preset reads back, as expected") {
  check_run(source + "/results/paper", verify::all_claims().size());
  CHECK(json::parse(content(source + "/results/paper/verdicts.json"))["preset"] == "paper");
}

TEST_CASE("docs/claims.md is what list claims --markdown prints") {
  const Outcome outcome = run({"list", "claims", "--markdown"});
  CHECK(outcome.status == 0);
  CHECK(outcome.out == content(source + "/docs/claims.md"));
}

TEST_CASE("verify writes the same verdicts and cells for any number of threads") {
  const TemporaryFolder folder;
  const int before = omp_get_max_threads();
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    CHECK(run({"verify", "--claims", "cor3,random-direction,critical-n", "--seed", "4", "-o",
               folder / std::to_string(threads)})
              .status == 0);
  }
  omp_set_num_threads(before);
  for (const char* file : {"verdicts.json", "cells.jsonl"}) {
    CHECK(content(folder.path() / "1" / file) == content(folder.path() / "3" / file));
  }
}

TEST_CASE("verify reports each claim to a CI server as one JUnit case") {
  const TemporaryFolder folder;
  const Outcome outcome =
      run({"verify", "--claims", "cor2.ii,lemma2", "--junit", folder / "junit.xml", "-o", folder / "run"});
  CHECK(outcome.status == 0);
  const std::string xml = content(folder / "junit.xml");
  CHECK_THAT(xml, contains("tests=\"2\" failures=\"0\""));
  CHECK_THAT(xml, contains("name=\"lemma2\""));
}

TEST_CASE("wrong calls of verify say what is allowed") {
  const TemporaryFolder folder;
  const std::string out = folder / "run";
  const Outcome claim = run({"verify", "--claims", "cor33", "-o", out});
  CHECK(claim.status == 2);
  CHECK_THAT(claim.err, contains("did you mean cor3?"));
  const Outcome preset = run({"verify", "--preset", "papre", "-o", out});
  CHECK(preset.status == 2);
  CHECK_THAT(preset.err, contains("paper"));
  CHECK(run({"verify", "--seed", "one", "-o", out}).status == 2);
  CHECK(run({"verify", "--claim", "cor3", "-o", out}).status == 2);
  CHECK(run({"list", "normalizers", "--markdown"}).status == 2);
  CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("a file of expected verdicts that does not fit is refused, naming the line's claim") {
  const TemporaryFolder folder;
  const auto refuses = [&](const std::string& text, const std::string& because) {
    std::ofstream(folder / "expected.toml") << text;
    CHECK_THROWS_WITH(app::read_expected(folder / "expected.toml", verify::claim_ids()), contains(because));
  };
  const std::string schema = "schema = \"headroom.expected/1\"\n";
  refuses(schema + "[a]\nlema2 = \"holds\"\n", "lemma2");
  refuses(schema + "[a]\nlemma2 = \"true\"\n", "vacuous");
  refuses(schema + "[a]\nlemma2 = \"holds\"\n", "has no expected verdict");
  refuses(schema + "[a]\nlemma2 = \"holds\"\n[b]\nlemma2 = \"holds\"\n", "twice");
  refuses("lemma2 = ", "expected.toml");
}

TEST_CASE("expected verdicts of another schema, or of none, are refused naming the schema") {
  const TemporaryFolder folder;
  const std::string good = content(source + "/results/expected.toml");
  const std::string line = "schema = \"headroom.expected/1\"\n";
  REQUIRE(good.find(line) != std::string::npos);
  const auto refuses = [&](const std::string& instead, const std::string& because) {
    std::string text = good;
    text.replace(text.find(line), line.size(), instead);
    std::ofstream(folder / "expected.toml") << text;
    try {
      static_cast<void>(app::read_expected(folder / "expected.toml", verify::claim_ids()));
      FAIL("accepted: " << instead);
    } catch (const Error& error) {
      CHECK(error.fault() == Fault::input);
      CHECK_THAT(error.what(), contains(because) && contains("expected.toml") && contains("headroom.expected/1"));
    }
  };
  refuses("schema = \"headroom.expected/2\"\n", "headroom.expected/2");
  refuses("schema = \"headroom.verdicts/1\"\n", "headroom.verdicts/1");
  refuses("schema = 1\n", "no schema");
  refuses("", "no schema");
}
