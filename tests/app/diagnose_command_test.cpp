#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/output.hpp"
#include "app/run.hpp"
#include "catch.hpp"

using namespace headroom::app;  // NOLINT(google-build-using-namespace)
using test::content;
using test::Outcome;
using test::run;
using test::sample_text;
using test::TemporaryFolder;

TEST_CASE("diagnose gives every head its numbers, and no rule without a number beyond its limit") {
  const TemporaryFolder folder;
  write_file(folder / "t.txt", sample_text());
  const Outcome outcome =
      run({"diagnose", "--text", folder / "t.txt", "--length", "48", "--top", "8", "--json", "-o", folder / "out"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const nlohmann::json document = nlohmann::json::parse(outcome.out);
  CHECK(document["schema"] == "headroom.diagnose/1");
  REQUIRE(document["heads"].size() == 144);
  std::size_t active = 0;
  for (const nlohmann::json& head : document["heads"]) {
    const double share = head["active"].get<double>() / head["tokens"].get<double>();
    const std::vector<std::string> fired = head["fired"];
    const auto has = [&](const char* rule) { return std::find(fired.begin(), fired.end(), rule) != fired.end(); };
    CHECK(has("active") == (share > 0.06));
    CHECK(has("separable") == (head["separable"] < 0.8));
    CHECK(has("entropy") == (head["entropy_slope"] > 0.05));
    CHECK(has("temperature") == (head["effective_temperature"] < 0.1));
    active += has("active") ? 1 : 0;
  }
  CHECK(document["summary"]["active"] == active);
  CHECK(content(folder.path() / "out" / "heads.csv").starts_with("layer,head,queries,tokens,active,"));
  CHECK(nlohmann::json::parse(content(folder.path() / "out" / "run.json"))["limits"]["top"] == 8);
}

TEST_CASE("diagnose says in its table how many heads are beyond a limit") {
  const TemporaryFolder folder;
  write_file(folder / "t.txt", sample_text());
  const Outcome outcome = run({"diagnose", "--text", folder / "t.txt", "--length", "32", "--top", "4",
                               "--separable-limit", "2", "--temperature-limit", "0"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, contains("144 of 144   N_s/N"));
  CHECK_THAT(outcome.out, contains("0 of 144   effective T"));
  CHECK_THAT(outcome.out, contains("144 heads with N_s/N < 2 at N = 4"));
}

TEST_CASE("diagnose refuses what it cannot measure") {
  const auto refused = [](std::vector<std::string> arguments, int status, const std::string& said) {
    arguments.insert(arguments.begin(), "diagnose");
    const Outcome outcome = run(arguments);
    CHECK(outcome.status == status);
    CHECK_THAT(outcome.err, contains(said));
  };
  refused({"--length", "20", "--top", "11"}, 2, "half of the window");
  refused({"--active-mass", "0"}, 2, "no share");
  refused({"--length", "1", "--top", "0"}, 2, "N = 0");
  refused({"--text", "/nowhere.txt"}, 3, "no such text");
  refused({"--model", "/nowhere"}, 3, "no such model");
  refused({"--tops", "3"}, 2, "did you mean --top?");
}
