#include "app/reproduce/recording.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "app/output.hpp"
#include "app/run.hpp"
#include "catch.hpp"
#include "model/npy.hpp"

using namespace headroom::app;
using headroom::app::test::csv_rows;
using headroom::app::test::Outcome;
using headroom::app::test::run;
using headroom::app::test::TemporaryFolder;
using headroom::app::test::operator/;

namespace {

/// Entropy in nats of softmax(row), of `tokens` logits.
double entropy(const double* row, std::size_t tokens) {
  double sum = 0;
  double weighted = 0;
  for (std::size_t i = 0; i < tokens; ++i) {
    if (std::isinf(row[i])) continue;
    sum += std::exp(row[i]);
    weighted += row[i] * std::exp(row[i]);
  }
  return std::log(sum) - weighted / sum;
}

}  // namespace

TEST_CASE("recorded logits have the entropy that reproduce reports, and simulate draws from them") {
  const TemporaryFolder folder;
  write_file(folder / "text.txt", headroom::app::test::sample_text());
  const std::string output = folder / "out";
  const std::size_t length = 48;
  const Outcome recorded = run({"reproduce", "--text", folder / "text.txt", "--length", "48", "--lengths", "48",
                                "--figures", "3", "--record", "0.3,11.7", "-o", output});
  INFO(recorded.err);
  REQUIRE(recorded.status == 0);

  const headroom::model::NpyArray logits = headroom::model::read_npy(output + "/logits.npy");
  REQUIRE(logits.shape == std::vector<std::size_t>{2, length, length});
  std::vector<double> reported(2);
  for (const auto& row : csv_rows(output + "/heads.csv")) {
    if (row.at("top") != "1") continue;
    if (row.at("layer") == "0" && row.at("head") == "3") reported[0] = std::stod(row.at("entropy"));
    if (row.at("layer") == "11" && row.at("head") == "7") reported[1] = std::stod(row.at("entropy"));
  }
  for (std::size_t h = 0; h < 2; ++h) {
    double mean = 0;
    for (std::size_t query = 0; query < length; ++query) {
      const double* row = logits.values.data() + (h * length + query) * length;
      // The first query sees one token, and its row counts for no N.
      mean += entropy(row, length) / static_cast<double>(length - 1);
      for (std::size_t hidden = query + 1; hidden < length; ++hidden) REQUIRE(row[hidden] == -INFINITY);
    }
    CHECK(mean == Approx(reported[h]).epsilon(1e-5));
  }
  CHECK(reported[0] != Approx(reported[1]).epsilon(1e-2));

  const Outcome simulated = run({"simulate", "--length", "32", "--dim", "16", "--top", "4", "--trials", "16",
                                 "--logits", "file:" + output + "/logits.npy"});
  INFO(simulated.err);
  CHECK(simulated.status == 0);
}

TEST_CASE("a head that the model does not have, and what is no head, are refused") {
  const TemporaryFolder folder;
  write_file(folder / "text.txt", headroom::app::test::sample_text());
  const auto refused = [&](const std::string& heads) {
    const Outcome outcome = run({"reproduce", "--text", folder / "text.txt", "--length", "16", "--lengths", "16",
                                 "--record", heads, "-o", folder / "out"});
    CHECK(outcome.status == 2);
    return outcome.err;
  };
  CHECK_THAT(refused("12.0"), contains("no head 12.0") && contains("0 to 11"));
  CHECK_THAT(refused("3"), contains("'3' is no head") && contains("LAYER.HEAD"));
  CHECK_THAT(refused("1.2,x.4"), contains("'x.4' is no head"));
  CHECK_FALSE(std::filesystem::exists(folder / "out/logits.npy"));
}
