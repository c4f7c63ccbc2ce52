#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/run.hpp"
#include "catch.hpp"
#include "model/npy.hpp"

using headroom::app::test::content;
using headroom::app::test::Outcome;
using headroom::app::test::run;
using headroom::app::test::TemporaryFolder;
using headroom::app::test::write_array;

namespace {

// Two heads of six causal rows, and vectors shared by them.
struct Arrays {
  TemporaryFolder folder;
  std::vector<double> weights = std::vector<double>(2 * 6 * 6);
  std::vector<double> vectors = std::vector<double>(6 * 4);

  Arrays() {
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t r = 0; r < 6; ++r) {
        double sum = 0;
        for (std::size_t i = 0; i <= r; ++i)
          sum += weights[(h * 6 + r) * 6 + i] = 1.0 + static_cast<double>((h + 3 * i) % 5);
        for (std::size_t i = 0; i <= r; ++i) weights[(h * 6 + r) * 6 + i] /= sum;
      }
    }
    for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = std::sin(static_cast<double>(i * i + 1));
    save();
  }
  void save() const {
    write_array(folder / "a.npy", {2, 6, 6}, weights);
    write_array(folder / "x.npy", {6, 4}, vectors);
  }
  [[nodiscard]] Outcome measure(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"measure", "--weights", folder / "a.npy", "--vectors", folder / "x.npy"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

}  // namespace

TEST_CASE("measure prints every key of every head and N, and only rows where no row is left") {
  const Arrays arrays;
  const Outcome outcome = arrays.measure({"--top", "1,5,6", "--causal"});
  REQUIRE(outcome.status == 0);
  CHECK(outcome.err.empty());
  const nlohmann::json document = nlohmann::json::parse(outcome.out);
  CHECK(document.at("schema") == "headroom.measure/1");
  REQUIRE(document.at("heads").size() == 2);
  const nlohmann::json& top = document.at("heads").at(1).at("top");
  CHECK(top.at("1").at("rows") == 5);
  CHECK(top.at("1").size() == 19);
  CHECK(top.at("5").at("rows") == 1);
  CHECK(top.at("6") == nlohmann::json{{"rows", 0}});
}

TEST_CASE("the bytes of measure do not depend on the number of threads") {
  const Arrays arrays;
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::string one = arrays.measure({"--top", "1,3", "--causal"}).out;
  omp_set_num_threads(3);
  const std::string three = arrays.measure({"--top", "1,3", "--causal"}).out;
  omp_set_num_threads(threads);
  CHECK(one == three);
}

TEST_CASE("per-row values average to the means and are NaN where a row is left out") {
  const Arrays arrays;
  const Outcome outcome = arrays.measure(
      {"--top", "2,4", "--causal", "--per-row", arrays.folder / "rows.npy", "-o", arrays.folder / "out.json"});
  REQUIRE(outcome.status == 0);
  CHECK(outcome.out.empty());
  // A record array: the header names the fields, the records are one int32 and eighteen float64.
  const std::string bytes = content(arrays.folder / "rows.npy");
  CHECK(bytes.find("'separable_law'") != std::string::npos);
  CHECK(bytes.find("'shape': (2, 6, 2)") != std::string::npos);
  const std::size_t record = 4 + 18 * 8;
  const std::size_t data = bytes.size() - 2 * 6 * 2 * record;
  const auto distance = [&](std::size_t row, std::size_t top) {
    double value = 0;
    std::memcpy(&value, bytes.data() + data + (row * 2 + top) * record + 4, sizeof value);
    return value;
  };
  CHECK(std::isnan(distance(1, 0)));
  double sum = 0;
  for (std::size_t row = 2; row < 6; ++row) sum += distance(row, 0);
  const nlohmann::json document = nlohmann::json::parse(content(arrays.folder / "out.json"));
  CHECK(document["heads"][0]["top"]["2"]["distance"].get<double>() == Approx(sum / 4).epsilon(1e-14));
}

TEST_CASE("an array read in several strips is measured, and its faults are named, like one read at once") {
  // 4,096 tokens make strips of some 500 rows.
  constexpr std::size_t rows = 1200;
  constexpr std::size_t tokens = 4096;
  const TemporaryFolder folder;
  std::vector<double> weights(rows * tokens);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < 8; ++i) weights[r * tokens + (r * 7 + i * i) % tokens] += 1.0 / 8;
  }
  std::vector<double> vectors(tokens * 2);
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = std::sin(static_cast<double>(i * i + 1));
  write_array(folder / "x.npy", {tokens, 2}, vectors);
  const auto measure = [&](const std::vector<double>& values) {
    write_array(folder / "a.npy", {values.size() / tokens, tokens}, values);
    return run({"measure", "--weights", folder / "a.npy", "--vectors", folder / "x.npy", "--top", "2"});
  };
  const auto means = [&](const std::vector<double>& values) {
    const Outcome outcome = measure(values);
    REQUIRE(outcome.status == 0);
    return nlohmann::json::parse(outcome.out).at("heads").at(0).at("top").at("2");
  };
  const auto middle = weights.begin() + static_cast<std::ptrdiff_t>(rows / 2 * tokens);
  const nlohmann::json all = means(weights);
  const nlohmann::json first = means({weights.begin(), middle});
  const nlohmann::json second = means({middle, weights.end()});
  CHECK(all.at("rows") == rows);
  for (const char* key : {"distance", "expected", "separable", "xi_mean", "entropy", "jacobian_norm"}) {
    INFO(key);
    const double halves = (first.at(key).get<double>() + second.at(key).get<double>()) / 2;
    CHECK(all.at(key).get<double>() == Approx(halves).epsilon(1e-12));
  }

  std::vector<double> bad = weights;
  bad[1100 * tokens + 5] = std::nan("");
  CHECK(measure(bad).err.find("[1100, 5]") != std::string::npos);
  bad = weights;
  bad[1100 * tokens + 5] = -1;
  CHECK(measure(bad).err.find("row 1100, token 5") != std::string::npos);
}

TEST_CASE("bad arrays end with status 3 and one message naming file, place and remedy") {
  Arrays arrays;
  const auto refused = [&](const std::string& text, std::vector<std::string> more = {"--top", "2", "--causal"}) {
    arrays.save();
    const Outcome outcome = arrays.measure(std::move(more));
    INFO(outcome.err);
    CHECK(outcome.status == 3);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find(text) != std::string::npos);
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  };
  const std::vector<double> good = arrays.weights;
  arrays.weights[7] = std::nan("");
  refused("[0, 1, 1]");
  arrays.weights = good;
  arrays.weights[0] = 0.9;
  refused("head 0, row 0");
  arrays.weights[0] = -1;
  refused("negative");
  arrays.weights = good;
  arrays.weights[1] = 0.5;
  refused("masked token");
  arrays.weights = good;
  arrays.vectors[3] = INFINITY;
  refused("x.npy at [0, 3]");
  arrays.vectors[3] = 1;
  for (std::size_t k = 8; k < 12; ++k) arrays.vectors[k] = 0;
  refused("token 2", {"--top", "2", "--causal", "--normalize"});
  refused("create the folder", {"--top", "2", "--causal", "-o", "/no-such-folder/out.json"});
  const Outcome shapes =
      run({"measure", "--weights", arrays.folder / "x.npy", "--vectors", arrays.folder / "x.npy", "--top", "1"});
  CHECK(shapes.status == 3);
  const Outcome missing =
      run({"measure", "--weights", "/none.npy", "--vectors", arrays.folder / "x.npy", "--top", "1"});
  CHECK(missing.status == 3);
  CHECK(missing.err.find("/none.npy") != std::string::npos);
}

TEST_CASE("a wrong call ends with status 2 and the nearest right name") {
  const Arrays arrays;
  const auto usage = [](const Outcome& outcome, const std::string& text) {
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.err.find(text) != std::string::npos);
  };
  usage(run({"mesure"}), "did you mean measure?");
  usage(run({}), "");
  usage(arrays.measure({"--tpo", "1"}), "unknown option --tpo (did you mean --top?)");
  usage(arrays.measure({"--top", "0"}), "at least 1");
  usage(arrays.measure({"--top", "one"}), "one");
  usage(arrays.measure({"--top", "1", "--temperature", "0"}), "temperature");
  usage(arrays.measure({"--top", "1", "--context", "some"}), "--context");
}

TEST_CASE("help and version go to standard output with status 0") {
  CHECK(run({"--version"}).out.starts_with("headroom "));
  const Outcome help = run({"measure", "--help"});
  CHECK(help.status == 0);
  CHECK(help.out.find("--per-row") != std::string::npos);
}
