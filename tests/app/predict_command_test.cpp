#include <chrono>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/run.hpp"
#include "app/sweep/process.hpp"
#include "catch.hpp"

using headroom::app::test::content;
using headroom::app::test::Outcome;
using headroom::app::test::Process;
using headroom::app::test::run;
using headroom::app::test::TemporaryFolder;

namespace {

using Arguments = std::vector<std::string>;

nlohmann::json predicted(Arguments arguments) {
  arguments.insert(arguments.begin(), "predict");
  arguments.emplace_back("--json");
  const Outcome outcome = run(arguments);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out);
}

double fraction_at(const std::string& length, const std::string& dim, const std::string& top) {
  return predicted({"--length", length, "--dim", dim, "--top", top})["top"][top]["separable"]["mean"];
}

// Whether the process is the program already, with a handler of its own for the signal.
bool catches(const Process& process, int signal) {
  const std::string folder = "/proc/" + std::to_string(process.pid()) + "/";
  if (content(folder + "comm") != "headroom\n") return false;
  const std::string status = content(folder + "status");
  const std::string caught = "SigCgt:\t";
  return (std::stoull(status.substr(status.find(caught) + caught.size(), 16), nullptr, 16) >> (signal - 1) & 1U) != 0;
}

}  // namespace

TEST_CASE("predict agrees with simulate to the errors both state") {
  const nlohmann::json law = predicted({"--length", "64", "--dim", "16", "--top", "2,3", "--draws", "400"});
  const Outcome outcome = run({"simulate", "--length", "64", "--dim", "16", "--top", "2,3", "--trials", "20000",
                               "--sampler", "projected", "--quantities", "separable", "--json"});
  const nlohmann::json cell = nlohmann::json::parse(outcome.out);
  for (const char* top : {"2", "3"}) {
    const nlohmann::json& a = law["top"][top]["separable"];
    const nlohmann::json& b = cell["top"][top]["separable"];
    const double error = std::hypot(a["se"].get<double>(), b["se"].get<double>()) + 1e-4;
    CHECK(std::abs(a["mean"].get<double>() - b["mean"].get<double>()) < 4 * error);
  }
}

TEST_CASE("predict's inverse is where the fraction is crossed") {
  const nlohmann::json top = predicted({"--length", "128", "--dim", "32", "--solve", "top", "--fraction", "0.7"});
  const std::size_t n = top["solve"]["value"];
  CHECK(fraction_at("128", "32", std::to_string(n)) >= 0.7);
  CHECK(fraction_at("128", "32", std::to_string(n + 1)) < 0.7);

  const nlohmann::json dim = predicted({"--length", "128", "--top", "4", "--solve", "dim", "--fraction", "0.7"});
  const std::size_t d = dim["solve"]["value"];
  CHECK(fraction_at("128", std::to_string(d), "4") >= 0.7);
  CHECK(fraction_at("128", std::to_string(d - 1), "4") < 0.7);

  const Arguments zipf = {"--dim", "16", "--top", "3", "--logits", "zipf:s=0.1", "--draws", "1"};
  Arguments solve = zipf;
  solve.insert(solve.end(), {"--solve", "length", "--fraction", "0.5"});
  const std::size_t length = predicted(solve)["solve"]["value"];
  Arguments at = zipf;
  at.insert(at.end(), {"--length", std::to_string(length + 1)});
  CHECK(predicted(at)["top"]["3"]["separable"]["mean"].get<double>() < 0.5);
}

TEST_CASE("predict says when there is no answer, and when the answer is only where it stopped") {
  const Arguments base = {"--length", "64", "--dim", "2", "--top", "32", "--solve", "dim", "--fraction", "1"};
  const nlohmann::json none = predicted(base);
  CHECK(none["solve"]["value"].is_null());
  CHECK_THAT(none["solve"]["reason"].get<std::string>(), contains("not even"));
  const nlohmann::json all = predicted({"--length", "8", "--dim", "64", "--solve", "top", "--fraction", "0.01"});
  CHECK(all["solve"]["value"] == 7);
  CHECK(all["solve"]["at_limit"] == true);
}

TEST_CASE("predict ends with 130 and no result once it is interrupted, whatever it solves for") {
  const TemporaryFolder folder;
  for (const int signal : {SIGINT, SIGTERM}) {
    Process process({HEADROOM_PROGRAM, "predict", "--solve", "dim", "--length", "100000", "--top", "5000", "--fraction",
                     "0.999", "--draws", "1000000"},
                    folder / "log");
    for (int k = 0; k < 6000 && !catches(process, signal); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    process.signal(signal);
    CHECK(process.wait_or_kill(std::chrono::seconds(60)) == 130);
    CHECK(content(folder / "log") == "headroom: interrupted; nothing is kept\n");
  }
}

TEST_CASE("predict refuses calls that say too little or too much") {
  const auto refused = [](Arguments arguments, const std::string& said) {
    arguments.insert(arguments.begin(), "predict");
    const Outcome outcome = run(arguments);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, contains(said));
  };
  refused({"--dim", "8", "--top", "2"}, "--length");
  refused({"--length", "8", "--dim", "8", "--top", "2", "--fraction", "0.5"}, "--solve");
  refused({"--length", "8", "--dim", "8", "--solve", "top"}, "--fraction");
  refused({"--length", "8", "--dim", "8", "--solve", "top", "--fraction", "1.5"}, "p <= 1");
  refused({"--length", "8", "--solve", "dim", "--fraction", "0.5", "--top", "1,2"}, "one");
  refused({"--length", "8", "--dim", "8", "--top", "8"}, "L - 1 = 7");
  refused({"--length", "8", "--dim", "8", "--top", "2", "--normalizer", "sasoftmax"}, "negative");
  refused({"--length", "8", "--dim", "8", "--top", "2", "--draws", "0"}, "at least 1");
}

TEST_CASE("list shows ids with keys and answers a misspelt list") {
  CHECK_THAT(run({"list", "normalizers"}).out, contains("alpha=1.5"));
  CHECK_THAT(run({"list", "samplers"}).out, contains("projected"));
  CHECK_THAT(run({"list", "logits"}).out, contains("file:PATH"));
  CHECK_THAT(run({"list", "targets"}).out, contains("(in use)"));
  const nlohmann::json list = nlohmann::json::parse(run({"list", "logits", "--json"}).out);
  CHECK(list["logits"][0]["id"] == "gaussian");
  const Outcome wrong = run({"list", "sampler"});
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, contains("did you mean samplers?"));
}
