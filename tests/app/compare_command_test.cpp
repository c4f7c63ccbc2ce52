#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/output.hpp"
#include "app/run.hpp"
#include "catch.hpp"
#include "verify/critical_top.hpp"

using namespace headroom::app;  // NOLINT(google-build-using-namespace)
using test::content;
using test::csv_rows;
using test::Outcome;
using test::run;
using test::sample_text;
using test::TemporaryFolder;

namespace {

/// softmax, entmax and logn fitted to softmax's entropy on a short text, into `out` of the folder.
void compare_at_equal_entropy(const TemporaryFolder& folder) {
  write_file(folder / "t.txt", sample_text());
  const Outcome outcome =
      run({"compare", "--text", folder / "t.txt", "--length", "40", "--top", "2", "--lengths", "40", "--match",
           "entropy", "--normalizers", "softmax,entmax,logn:kappa=0.4", "-o", folder / "out"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
}

}  // namespace

TEST_CASE("compare leaves softmax as it is and gives sparsemax its zeros") {
  const TemporaryFolder folder;
  write_file(folder / "t.txt", sample_text());
  const Outcome outcome = run({"compare", "--text", folder / "t.txt", "--length", "48", "--top", "1,4", "--lengths",
                               "24,48", "--normalizers", "softmax,sparsemax,topk:k=4", "-o", folder / "out"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const auto heads = csv_rows(folder.path() / "out" / "heads.csv");
  REQUIRE(heads.size() == 144 * 3 * 2 * 2);
  for (const auto& row : heads) {
    if (row.at("normalizer") == "softmax") {
      CHECK(std::stod(row.at("output_change")) == 0);
      CHECK(std::stod(row.at("zeros")) == 0);
    }
    if (row.at("normalizer") == "topk:k=4" && row.at("length") == "48") {
      // Query r of 48 leaves out all but four of the r + 1 tokens it sees.
      double left_out = 0;
      for (int seen = 5; seen <= 48; ++seen) left_out += (seen - 4.0) / seen / 48;
      CHECK(std::stod(row.at("zeros")) == Approx(left_out).epsilon(1e-6));
    }
    CHECK(std::stod(row.at("jacobian_mean")) <= std::stod(row.at("jacobian_worst")));
    CHECK(std::stod(row.at("separable")) <= 1);
  }
  CHECK(csv_rows(folder.path() / "out" / "normalizers.csv").size() == 3 * 2 * 2);
  CHECK(nlohmann::json::parse(content(folder.path() / "out" / "run.json")).contains("vector_target"));
}

TEST_CASE("compare --match entropy gives every normalizer softmax's mean entropy, head by head") {
  const TemporaryFolder folder;
  compare_at_equal_entropy(folder);
  std::map<std::string, double> target;
  for (const auto& row : csv_rows(folder.path() / "out" / "heads.csv")) {
    const std::string head = row.at("layer") + "/" + row.at("head");
    const double entropy = std::stod(row.at("entropy"));
    if (row.at("normalizer") == "softmax") target[head] = entropy;
    CAPTURE(head, row.at("normalizer"));
    CHECK(entropy == Approx(target.at(head)).epsilon(1e-4));
  }
}

TEST_CASE("run.json of compare --match sums up the fits that heads.csv has one by one") {
  const TemporaryFolder folder;
  compare_at_equal_entropy(folder);
  std::map<std::string, std::vector<double>> temperatures;
  std::map<std::string, double> target;
  std::map<std::string, std::pair<double, std::string>> farthest;
  for (const auto& row : csv_rows(folder.path() / "out" / "heads.csv")) {
    const std::string head = row.at("layer") + "." + row.at("head");
    const double entropy = std::stod(row.at("entropy"));
    if (row.at("normalizer") == "softmax") target[head] = entropy;
    temperatures[row.at("normalizer")].push_back(std::stod(row.at("temperature")));
    auto& most = farthest[row.at("normalizer")];
    if (most.second.empty() || std::abs(entropy - target.at(head)) > most.first) {
      most = {std::abs(entropy - target.at(head)), head};
    }
  }
  const auto summary = nlohmann::json::parse(content(folder.path() / "out" / "run.json"))["fit_summary"];
  const auto check_range = [](const nlohmann::json& range, std::vector<double> values) {
    std::sort(values.begin(), values.end());
    CHECK(range["min"] == values.front());
    CHECK(range["median"].get<double>() == Approx((values[71] + values[72]) / 2).epsilon(1e-14));
    CHECK(range["max"] == values.back());
  };
  std::vector<double> targets;
  for (const auto& [head, entropy] : target) targets.push_back(entropy);
  REQUIRE(targets.size() == 144);
  check_range(summary["target"], targets);
  REQUIRE(summary["normalizers"].size() == 3);
  for (const nlohmann::json& fit : summary["normalizers"]) {
    const std::string name = fit["normalizer"];
    CAPTURE(name);
    check_range(fit["temperature"], temperatures.at(name));
    CHECK(fit["largest_deviation"]["deviation"].get<double>() == Approx(farthest.at(name).first).margin(1e-12));
    CHECK(fit["largest_deviation"]["head"] == farthest.at(name).second);
    CHECK(fit["unmatched"].empty());
    REQUIRE(fit.contains("effective_scale") == (name == "logn:kappa=0.4"));
    if (!fit.contains("effective_scale")) continue;
    for (double& temperature : temperatures.at(name)) temperature = 0.4 / temperature;
    check_range(fit["effective_scale"], temperatures.at(name));
  }
}

TEST_CASE("a match that is refused leaves the names of all its heads, but not beside earlier results") {
  const TemporaryFolder folder;
  write_file(folder / "t.txt", sample_text());
  const auto refused = [&](const std::string& out) {
    return run({"compare", "--text", folder / "t.txt", "--length", "24", "--top", "2", "--lengths", "24", "--match",
                "max-weight", "--normalizers", "softmax,topk:k=1", "-o", folder / out});
  };
  const Outcome outcome = refused("out");
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.err, contains("and 141 more"));
  const auto record = nlohmann::json::parse(content(folder.path() / "out" / "run.json"));
  CHECK(!std::filesystem::exists(folder.path() / "out" / "heads.csv"));
  const nlohmann::json& fits = record["fit_summary"]["normalizers"];
  CHECK(fits[0]["unmatched"].empty());
  CHECK(fits[1]["temperature"].is_null());
  REQUIRE(fits[1]["unmatched"].size() == 144);
  CHECK(fits[1]["unmatched"][143] == "11.11");
  std::filesystem::create_directory(folder.path() / "full");
  write_file(folder / "full/heads.csv", "earlier\n");
  CHECK(refused("full").status == 3);
  CHECK(!std::filesystem::exists(folder.path() / "full" / "run.json"));
}

TEST_CASE("the critical N of compare are those of the heads it wrote, against both expectations") {
  const TemporaryFolder folder;
  write_file(folder / "t.txt", sample_text());
  const Outcome outcome = run({"compare", "--text", folder / "t.txt", "--length", "256", "--top", "1,2,4,8,16,32,64",
                               "--lengths", "256", "--normalizers", "softmax,topk:k=32", "-o", folder / "out"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  std::map<std::string, std::map<std::string, std::map<std::size_t, headroom::verify::HeadMeans>>> means;
  for (const auto& row : csv_rows(folder.path() / "out" / "heads.csv")) {
    const std::size_t top = std::stoul(row.at("top"));
    for (const std::string against : {"expected_full", "expected"}) {
      headroom::verify::HeadMeans& at = means[row.at("normalizer")][against][top];
      at.top = top;
      at.distance.push_back(std::stod(row.at("distance")));
      at.expected.push_back(std::stod(row.at(against)));
    }
  }
  std::set<std::string> found;
  for (const auto& row : csv_rows(folder.path() / "out" / "normalizers.csv")) {
    for (const std::string against : {"expected_full", "expected"}) {
      std::vector<headroom::verify::HeadMeans> list;
      for (const auto& [top, at] : means[row.at("normalizer")][against]) list.push_back(at);
      const auto critical = headroom::verify::critical_top(list, 0.01);
      const std::string& cell = row.at(against == "expected" ? "critical_top_expected" : "critical_top");
      CAPTURE(row.at("normalizer"), against);
      CHECK(cell == (critical ? std::to_string(critical->top) : ""));
      found.insert(against + cell);
    }
  }
  CHECK(found.size() > 2);  // the two are not the same column
}

TEST_CASE("compare measures softmax the same wherever it stands among the normalizers, and keeps their order") {
  const TemporaryFolder folder;
  write_file(folder / "t.txt", sample_text());
  const auto rows_of = [&](const std::string& normalizers) {
    const Outcome outcome = run({"compare", "--text", folder / "t.txt", "--length", "24", "--top", "4", "--lengths",
                                 "24", "--normalizers", normalizers, "-o", folder / "out"});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return csv_rows(folder.path() / "out" / "heads.csv");
  };
  const auto first = rows_of("softmax,sparsemax,topk:k=4");
  const auto middle = rows_of("sparsemax,softmax,topk:k=4");
  const auto without = rows_of("sparsemax,topk:k=4");
  REQUIRE(first.size() == 144 * 3);
  REQUIRE(middle.size() == first.size());
  for (std::size_t head = 0; head < 144; ++head) {
    CHECK(middle[3 * head] == first[3 * head + 1]);
    CHECK(middle[3 * head + 1] == first[3 * head]);
    CHECK(middle[3 * head + 2] == first[3 * head + 2]);
    CHECK(without[2 * head] == first[3 * head + 1]);
    CHECK(without[2 * head + 1] == first[3 * head + 2]);
  }
}

TEST_CASE("compare --json prints the rows of normalizers.csv and the fit of every head") {
  const TemporaryFolder folder;
  write_file(folder / "t.txt", sample_text());
  std::vector<std::string> arguments = {"compare",
                                        "--text",
                                        folder / "t.txt",
                                        "--length",
                                        "40",
                                        "--top",
                                        "2,8",
                                        "--lengths",
                                        "20,40",
                                        "--match",
                                        "max-weight",
                                        "--normalizers",
                                        "softmax,entmax,logn:kappa=0.4",
                                        "--json"};
  const Outcome alone = run(arguments);
  INFO(alone.err);
  REQUIRE(alone.status == 0);
  arguments.insert(arguments.end(), {"-o", folder / "out"});
  CHECK(run(arguments).out == alone.out);
  const nlohmann::json document = nlohmann::json::parse(alone.out);
  CHECK(document["schema"] == "headroom.comparison/1");
  CHECK(document["match"] == "max-weight");
  CHECK(document["heads"] == 144);
  const auto rows = csv_rows(folder.path() / "out" / "normalizers.csv");
  REQUIRE(document["means"].size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const nlohmann::json& means = document["means"][i];
    CHECK(means.size() == rows[i].size());
    for (const auto& [name, cell] : rows[i]) {
      CAPTURE(name, cell);
      if (name == "normalizer") {
        CHECK(means[name] == cell);
        continue;
      }
      CHECK((cell.empty() ? means[name].is_null() : means[name] == std::stod(cell)));
    }
  }
  REQUIRE(document["fits"].size() == 144 * 3);
  for (const nlohmann::json& fit : document["fits"]) {
    CHECK(fit["value"].get<double>() == Approx(fit["target"].get<double>()).epsilon(1e-3));
    if (fit["normalizer"] == "softmax") CHECK((fit["temperature"] == 1 && fit["value"] == fit["target"]));
    const bool scaled = fit["normalizer"].get<std::string>().starts_with("logn");
    REQUIRE(fit.contains("effective_scale") == scaled);
    if (scaled) {
      CHECK(fit["effective_scale"].get<double>() == Approx(0.4 / fit["temperature"].get<double>()).epsilon(1e-12));
    }
  }
}

TEST_CASE("compare names the head whose match cannot be reached, and every other mistake") {
  const TemporaryFolder folder;
  write_file(folder / "t.txt", sample_text());
  const auto outcome = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"compare", "--text", folder / "t.txt", "--length",
                                          "48",      "-o",     folder / "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  const Outcome unreachable = outcome({"--match", "entropy", "--normalizers", "softmax,topk:k=1"});
  CHECK(unreachable.status == 3);
  CHECK_THAT(unreachable.err, contains("layer 0") && contains("head 0"));
  const Outcome unknown = outcome({"--normalizers", "softmax,spersemax"});
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, contains("sparsemax"));
  CHECK(outcome({"--normalizers", "entmax:alpha=0.5"}).status == 2);
  CHECK(outcome({"--match", "entropie"}).status == 2);
  CHECK(outcome({"--top", "0"}).status == 2);
  CHECK(outcome({"--lengths", "4096"}).status == 2);
}
