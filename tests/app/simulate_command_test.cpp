#include <omp.h>

#include <nlohmann/json.hpp>

#include "app/run.hpp"
#include "catch.hpp"

using headroom::app::test::Outcome;
using headroom::app::test::run;
using headroom::app::test::TemporaryFolder;
using headroom::app::test::write_array;

namespace {

using Arguments = std::vector<std::string>;

Arguments simulate(const Arguments& more) {
  Arguments all = {"simulate", "--length", "24", "--dim", "5", "--top", "4,2", "--trials", "300", "--seed", "9"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Arguments with(Arguments all, const std::string& option, const std::string& value) {
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i] == option) all[i + 1] = value;
  }
  return all;
}

}  // namespace

TEST_CASE("simulate prints a cell with means, standard errors and intervals for every N") {
  const Outcome outcome = run(simulate({"--json"}));
  REQUIRE(outcome.status == 0);
  const nlohmann::json cell = nlohmann::json::parse(outcome.out);
  CHECK(cell["schema"] == "headroom.cell/1");
  CHECK(cell["trials"] == 300);
  CHECK(cell["parameters"]["logits"] == "gaussian:sigma=1");
  CHECK(cell["parameters"]["sampler"] == "uniform:coordinates=float32");
  CHECK(cell["top"].size() == 2);
  for (const char* name :
       {"distance", "expected", "expected_full", "separable", "radius", "mass", "entropy", "max_weight"}) {
    const nlohmann::json& value = cell["top"]["4"][name];
    CHECK(value["se"].get<double>() > 0);
    CHECK(value["ci"][0].get<double>() < value["mean"].get<double>());
    CHECK(value["mean"].get<double>() < value["ci"][1].get<double>());
  }
  CHECK(cell["top"]["4"].size() == 8);
}

TEST_CASE("simulate gives the same bytes for one thread and three") {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Outcome one = run(simulate({"--json", "--quantities", "all"}));
  omp_set_num_threads(3);
  const Outcome three = run(simulate({"--json", "--quantities", "all"}));
  omp_set_num_threads(before);
  CHECK(one.status == 0);
  CHECK(one.out == three.out);
  CHECK(one.out != run(simulate({"--json", "--quantities", "all", "--temperature", "2"})).out);
}

TEST_CASE("every sampler simulates, and the table names the quantities") {
  for (const char* sampler : {"exact", "mcmc", "rsa"}) {
    const Outcome outcome = run(simulate({"--separation", "0.3", "--sampler", sampler, "--quantities", "separable"}));
    CAPTURE(sampler, outcome.err);
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.out, contains("separable"));
  }
  CHECK(run(simulate({"--sampler", "projected"})).status == 0);
}

TEST_CASE("simulate draws the rows of recorded heads, without the tokens they do not see") {
  const TemporaryFolder folder;
  std::vector<double> logits(2 * 30);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<double>(i % 7);
  write_array(folder / "heads.npy", {2, 30}, logits);
  const std::string path = folder / "heads.npy";
  CHECK(run(simulate({"--logits", "file:" + path})).status == 0);
  CHECK(run(simulate({"--logits", "file:" + path + "x"})).status == 3);
  CHECK(run(with(simulate({"--logits", "file:" + path}), "--length", "31")).status != 0);
}

TEST_CASE("simulate refuses what cannot be and says what is allowed") {
  const Arguments good = simulate({"--temperature", "1", "--separation", "0", "--normalizer", "softmax"});
  const auto refused = [&](const std::string& option, const std::string& value, const std::string& said) {
    const Outcome outcome = run(with(good, option, value));
    CAPTURE(option, value);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, contains(said));
  };
  refused("--length", "0", "at least 2");
  refused("--top", "24", "L - 1 = 23");
  refused("--dim", "1", "at least 2");
  refused("--trials", "0", "at least 1");
  refused("--temperature", "0", "T > 0");
  refused("--temperature", "warm", "not a finite number");
  refused("--seed", "seven", "not a whole number");
  refused("--seed", "-7", "not a whole number");
  refused("--separation", "1.9", "largest separation");
  refused("--normalizer", "entmax:alpha=0.5", "from 1 to 64");
  refused("--normalizer", "softmx", "softmax");
  CHECK_THAT(run(simulate({"--quantities", "seprable"})).err, contains("separable"));
  CHECK_THAT(run(simulate({"--sampler", "projcted"})).err, contains("projected"));
}
