#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/run.hpp"
#include "app/verify/counterexample.hpp"
#include "catch.hpp"
#include "verify/claims/registry.hpp"

using namespace headroom;
using app::test::Outcome;
using app::test::run;
using app::test::TemporaryFolder;
using nlohmann::json;

namespace {

json read(const std::filesystem::path& file) { return json::parse(std::ifstream(file)); }

std::string write(const TemporaryFolder& folder, const json& document) {
  const std::filesystem::path file = folder.path() / "case.json";
  std::ofstream(file) << document.dump();
  return file.string();
}

const verify::PointwiseClaim& pointwise(const std::string& id) {
  return dynamic_cast<const verify::PointwiseClaim&>(*verify::claims_named({id}).front());
}

// Two equal logits at T = 1, where cor3 fails.
json equal_logits() {
  verify::PointInput input;
  input.shape.length = 2;
  input.logits = {0.0, 0.0};
  return json::parse(app::counterexample_json(pointwise("cor3"), input));
}

}  // namespace

TEST_CASE("every pointwise claim leaves its worst input, a refuted one its smallest counterexample too, which replay") {
  const TemporaryFolder folder;
  REQUIRE(run({"verify", "--claims", "cor3,lemma2", "-o", folder.path().string()}).status == 0);
  const json verdicts = read(folder.path() / "verdicts.json");
  for (const json& claim : verdicts["claims"]) {
    const bool refuted = claim["verdict"] == "refuted";
    CHECK(claim["worst"].contains("smallest") == refuted);
    for (const char* which : {"smallest", "file"}) {
      if (!claim["worst"].contains(which)) continue;
      const Outcome outcome = run({"verify", "--replay", (folder.path() / claim["worst"][which]).string()});
      CHECK(outcome.status == 0);
      CHECK_THAT(outcome.out, contains(refuted ? "  violated, as the file says" : "holds here, as the file says"));
    }
  }
  CHECK(read(folder.path() / "counterexamples/cor3.json")["logits"] == json({"0x0p+0", "0x0p+0"}));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "counterexamples/lemma2.json"));
  CHECK(read(folder.path() / "worst/lemma2.json")["schema"] == "headroom.worst-input/1");
}

TEST_CASE("a counterexample file gives back every bit of the input") {
  const TemporaryFolder folder;
  for (const char* id : {"lemma2", "thm2.lower", "jacobian.entmax", "cor3.sharp"}) {
    const verify::PointwiseClaim& claim = pointwise(id);
    sim::Stream stream(3, 1, 0);
    const verify::PointInput input = draw_input(stream, claim.grid(verify::Preset::quick)[2].shape, claim.domain());
    const app::Counterexample back =
        app::read_counterexample(write(folder, json::parse(app::counterexample_json(claim, input))));
    CHECK(back.claim == &claim);
    CHECK(back.input.shape == input.shape);
    CHECK(back.input.logits == input.logits);
    CHECK(back.input.temperature == input.temperature);
    CHECK(back.input.epsilon == input.epsilon);
    CHECK(back.input.direction == input.direction);
    CHECK(back.input.vectors == input.vectors);
  }
}

TEST_CASE("replay says observed, bound and margin, and ends with 1 where the file's statement is not so") {
  const TemporaryFolder folder;
  const Outcome right = run({"verify", "--replay", write(folder, equal_logits())});
  CHECK(right.status == 0);
  CHECK_THAT(right.out, contains("observed  0.5"));
  CHECK_THAT(right.out, contains("bound     0.25"));
  CHECK_THAT(right.out, contains("margin    0.25"));
  json other = equal_logits();
  other["observed"] = "0x1.1p-1";
  CHECK(run({"verify", "--replay", write(folder, other)}).status == 1);
  json holds = equal_logits();
  holds["logits"][0] = "0x1.4p+4";
  const Outcome outcome = run({"verify", "--replay", write(folder, holds)});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, contains("holds here"));
}

TEST_CASE("a file that is no counterexample is refused, naming the key") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& key, const json& value, const std::string& said) {
    json document = equal_logits();
    document[key] = value;
    const Outcome outcome = run({"verify", "--replay", write(folder, document)});
    CAPTURE(key, value.dump(), outcome.err);
    CHECK(outcome.status == 3);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, contains(said));
  };
  refused("schema", "headroom.counterexample/9", "headroom.counterexample/1");
  refused("claim", "cor33", "did you mean cor3");
  refused("claim", "thm2.upper", "no pointwise claim");
  refused("normalizer", "sparsemax", "not about the normalizer");
  refused("logits", json::array(), "0 tokens");
  refused("logits", json({"0x0p+0", "0x1p+9"}), "logits[1]");
  refused("logits", json({"0x0p+0", "0.5"}), "logits[1]");
  refused("logits", 3, "logits");
  refused("temperature", "0x0p+0", "temperature");
  refused("temperature", "-0x1p+0", "temperature");
  refused("temperature", "0xinf", "hexadecimal");
  refused("temperature", "0x-1p+0", "hexadecimal");
  refused("dim", 3, "d = 3");
  refused("top", 1, "N does not fit");
  refused("top", "two", "whole number");
  refused("observed", nullptr, "observed");
  CHECK(run({"verify", "--replay", folder / "absent.json"}).status == 3);
  std::ofstream(folder.path() / "cut.json") << R"({"schema": "headroom.)";
  CHECK(run({"verify", "--replay", folder / "cut.json"}).status == 3);
}

TEST_CASE("a folder is no file to replay, and the message says which files in it are") {
  const TemporaryFolder folder;
  const Outcome outcome = run({"verify", "--replay", folder.path().string()});
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.err, contains("is a folder (name a file in its counterexamples/ or worst/)"));
}

TEST_CASE("sizes whose product or successor overflows are refused") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& claim, const std::string& key, std::uint64_t value) {
    const verify::PointwiseClaim& about = pointwise(claim);
    sim::Stream stream(3, 1, 0);
    verify::PointInput input = draw_input(stream, about.grid(verify::Preset::quick)[2].shape, about.domain());
    json document = json::parse(app::counterexample_json(about, input));
    if (key == "dim") {
      document["vectors"] = json::array();
      document["logits"] = json(std::vector<std::string>(4, "0x0p+0"));
      document["top"] = 1;
    }
    document[key] = value;
    const Outcome outcome = run({"verify", "--replay", write(folder, document)});
    CAPTURE(claim, key, outcome.err);
    CHECK(outcome.status == 3);
  };
  refused("thm2.lower", "top", std::numeric_limits<std::uint64_t>::max());
  refused("thm2.lower", "dim", std::uint64_t{1} << 63U);
}

TEST_CASE("verify needs a folder or a file to replay, and not both") {
  const TemporaryFolder folder;
  const Outcome neither = run({"verify"});
  CHECK(neither.status == 2);
  CHECK_THAT(neither.err, contains("--output"));
  const std::string file = write(folder, equal_logits());
  CHECK(run({"verify", "--replay", file, "-o", folder / "run"}).status == 2);
  CHECK(run({"verify", "--replay", file, "--claims", "cor3"}).status == 2);
}
