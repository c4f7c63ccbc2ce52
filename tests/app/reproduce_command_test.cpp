#include <omp.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "app/csv.hpp"
#include "app/figures.hpp"
#include "app/output.hpp"
#include "app/run.hpp"
#include "catch.hpp"

using namespace headroom::app;
using headroom::app::test::content;
using headroom::app::test::Outcome;
using headroom::app::test::run;
using headroom::app::test::TemporaryFolder;

namespace {

const std::string novel = HEADROOM_SHARED "/data/war_and_peace.txt";

Table figure(const TemporaryFolder& folder, const std::string& name, std::vector<Column> columns) {
  return parse_csv(content(folder.path() / name), std::move(columns), name);
}

}  // namespace

TEST_CASE("reproduce gives the figures of the bundled model with their known values") {
  if (!std::filesystem::exists(novel)) {
    WARN("skipped: the novel is not here");
    return;
  }
  const TemporaryFolder folder;
  const Outcome outcome = run({"reproduce", "--text", novel, "--length", "128", "-o", folder.path().string()});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);

  // Critical N at level 0.01 as an independent program found them: 17, 21, 23 against E₁ at L = 32, 64, 128; 30, 55 and
  // none against E₀.
  const Table critical = figure(folder, "figure2c.csv", figure2c_columns());
  const auto tops = critical.optional_numbers("critical_top");
  REQUIRE(tops.size() == 6);
  CHECK(critical.texts("against")[0] == "expected_full");
  CHECK((tops[0] == 17 && tops[1] == 21 && tops[2] == 23));
  CHECK((tops[3] == 30 && tops[4] == 55 && !tops[5].has_value()));

  const Table distances = figure(folder, "figure2a.csv", figure2_columns());
  REQUIRE(distances.rows() == 3);
  const auto distance = distances.numbers("distance");
  const auto upper = distances.numbers("distance_upper");
  const auto sharp = distances.numbers("distance_upper_sharp");
  const auto lower = distances.numbers("distance_lower_sharp");
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK((lower[i] <= distance[i] && distance[i] <= sharp[i] && sharp[i] <= upper[i]));
  }

  // N = 1, 2, … 64 for 144 heads; one token alone always separates.
  const Table separable = figure(folder, "figure3.csv", figure3_columns());
  CHECK(separable.rows() == 7 * 144);
  for (std::size_t head = 0; head < 144; ++head) CHECK(separable.numbers("separable")[head] == 1.0);

  const Table sensitivity = figure(folder, "figure4.csv", figure4_columns());
  REQUIRE(sensitivity.rows() == 48);
  const auto worst = sensitivity.numbers("g_worst");
  const auto bound = sensitivity.numbers("bound_sharp");
  for (std::size_t i = 0; i < 48; ++i) CHECK(worst[i] <= bound[i]);

  for (const char* name : {"figure2a", "figure2b", "figure2c", "figure3", "figure4"}) {
    CHECK(content(folder.path() / (std::string(name) + ".svg")).find("</svg>") != std::string::npos);
  }
  const nlohmann::json record = nlohmann::json::parse(content(folder / "run.json"));
  CHECK(record.at("model").at("heads") == 144);
  CHECK(record.at("text").at("sha256").get<std::string>().size() == 64);
  CHECK(record.at("seconds").contains("measure"));
}

TEST_CASE("reproduce gives the same figures with one thread and with three") {
  const TemporaryFolder text_folder;
  const std::string text = text_folder / "t.txt";
  headroom::app::write_file(text, headroom::app::test::sample_text());
  const auto heads_csv = [&](int threads, const std::string& vectors) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    const TemporaryFolder folder;
    const Outcome outcome = run({"reproduce", "--text", text, "--length", "40", "--vectors", vectors, "--figures",
                                 "2a,3", "-o", folder.path().string()});
    omp_set_num_threads(before);
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "figure4.csv"));
    return content(folder.path() / "heads.csv");
  };
  for (const char* vectors : {"hidden", "value"}) {
    const std::string one = heads_csv(1, vectors);
    CHECK_FALSE(one.empty());
    CHECK(one == heads_csv(3, vectors));
  }
}

namespace {

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> all;
  std::stringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) all.push_back(field);
  return all;
}

// Compares two tables of numbers entry by entry: 1e-5 relative, the law 0.005.
void check_same_means(const std::string& single, const std::string& full) {
  std::stringstream left(single);
  std::stringstream right(full);
  std::string line;
  std::getline(left, line);
  const std::vector<std::string> names = fields(line);
  std::string other;
  std::getline(right, other);
  REQUIRE(line == other);
  std::size_t compared = 0;
  while (std::getline(left, line)) {
    REQUIRE(std::getline(right, other));
    const std::vector<std::string> a = fields(line);
    const std::vector<std::string> b = fields(other);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == b[i]) continue;
      INFO(names[i] << ": " << line);
      const double exact = std::stod(b[i]);
      const double allowed = names[i] == "separable_law" ? 0.005 : 1e-5 * std::abs(exact) + 1e-9;
      CHECK(std::abs(std::stod(a[i]) - exact) <= allowed);
      ++compared;
    }
  }
  // Single precision is no other name for double.
  CHECK(compared > 0);
}

}  // namespace

TEST_CASE("reproduce in single precision reports the means of double precision") {
  if (!std::filesystem::exists(novel)) {
    WARN("skipped: the novel is not here");
    return;
  }
  const TemporaryFolder single;
  const TemporaryFolder full;
  const auto reproduce = [](const TemporaryFolder& folder, const std::string& precision) {
    const Outcome outcome =
        run({"reproduce", "--text", novel, "--length", "150", "--precision", precision, "-o", folder.path().string()});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
  };
  reproduce(single, "single");
  reproduce(full, "double");
  check_same_means(content(single / "heads.csv"), content(full / "heads.csv"));
  check_same_means(content(single / "figure4.csv"), content(full / "figure4.csv"));
  const nlohmann::json record = nlohmann::json::parse(content(single / "run.json"));
  CHECK(record.at("precision") == "single");
  CHECK(record.at("separable_law").at("error") == 0.005);
}

TEST_CASE("a run into the folder of another leaves and names only the figures it made") {
  const TemporaryFolder folder;
  headroom::app::write_file(folder / "t.txt", headroom::app::test::sample_text());
  const auto reproduce = [&](const std::string& figures, const std::string& windows) {
    Outcome outcome = run({"reproduce", "--text", folder / "t.txt", "--length", "32", "--figures", figures, "--windows",
                           windows, "-o", folder / "out"});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return outcome;
  };
  const auto there = [&](const std::string& name) { return std::filesystem::exists(folder / ("out/" + name)); };
  CHECK_THAT(reproduce("2a,3", "2").err, contains("; figures 2a, 3 (.svg and .csv), heads.csv"));
  CHECK((there("figure2a.csv") && there("figure2a.svg") && there("figure3.csv") && there("windows.csv")));
  CHECK_THAT(reproduce("3", "1").err, contains("; figure 3 (.svg and .csv), heads.csv"));
  CHECK((there("figure3.csv") && there("figure3.svg")));
  CHECK_FALSE((there("figure2a.csv") || there("figure2a.svg") || there("windows.csv")));
}

TEST_CASE("reproduce refuses what it cannot do, naming place and remedy") {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const auto refused = [&](std::vector<std::string> arguments, int status, const std::string& text) {
    arguments.insert(arguments.begin(), "reproduce");
    arguments.insert(arguments.end(), {"-o", out});
    const Outcome outcome = run(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == status);
    CHECK(outcome.err.find(text) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "out" / "heads.csv"));
  };
  FILE* file = std::fopen((folder / "short.txt").c_str(), "w");
  std::fputs("Call me Ishmael.", file);
  std::fclose(file);
  refused({"--text", folder / "none.txt"}, 3, "none.txt");
  refused({"--text", folder / "short.txt"}, 3, "1024 are needed");
  refused({"--text", folder / "short.txt", "--length", "2000"}, 3, "context is 1024");
  refused({"--text", folder / "short.txt", "--model", folder / "no-model"}, 3, "no-model");
  refused({"--text", folder / "short.txt", "--figures", "5"}, 2, "unknown figure 5");
  refused({"--text", folder / "short.txt", "--length", "1"}, 2, "--length");
  refused({"--text", folder / "short.txt", "--vectors", "embeddings"}, 2, "embedding");
  refused({"--text", folder / "short.txt", "--precision", "half"}, 2, "single");
  refused({"--text", folder / "short.txt", "--windoes", "1"}, 2, "did you mean");
}

TEST_CASE("inspect lists the blocks of the bundled model") {
  const Outcome outcome = run({"inspect", HEADROOM_SOURCE "/model/assets/gpt2-wp/model.onnx", "--json"});
  REQUIRE(outcome.status == 0);
  const nlohmann::json document = nlohmann::json::parse(outcome.out);
  CHECK(document.at("schema") == "headroom.inspect/1");
  REQUIRE(document.at("blocks").size() == 12);
  const nlohmann::json& block = document.at("blocks").at(11);
  CHECK(block.at("layer") == 11);
  CHECK(block.at("heads") == 12);
  CHECK(block.at("head_dim") == 16);
  CHECK(block.at("scale") == 0.25);
  CHECK(block.at("causal") == true);
  CHECK(block.at("vectors") == nlohmann::json{"embedding", "hidden", "value"});
}
