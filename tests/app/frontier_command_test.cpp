#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/csv.hpp"
#include "app/plot/xml.hpp"
#include "app/run.hpp"
#include "catch.hpp"

using namespace headroom::app;  // NOLINT(google-build-using-namespace)
using test::content;
using test::Outcome;
using test::run;
using test::TemporaryFolder;

TEST_CASE("frontier shows a line per normalizer and says why a weight is out of reach") {
  const Outcome outcome =
      run({"frontier", "--normalizers", "softmax,sparsemax", "--lengths", "9", "--weights", "0.5,1"});
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, contains("n = 9"));
  CHECK_THAT(outcome.out, contains("2.079"));  // log 8
  CHECK_THAT(outcome.out, contains("softmax, p = 1: weight 1 takes an infinite margin"));
}

TEST_CASE("frontier explains a weight out of reach once per normalizer, and refuses one that none can give") {
  const Outcome outcome = run({"frontier", "--weights", "1.5,2", "--normalizers", "softmax,sparsemax,sasoftmax"});
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out,
             contains("\nsoftmax, p = 1.5, 2: no weight exceeds 1\nsparsemax, p = 1.5, 2: no weight exceeds"));
  CHECK(outcome.out.find("sasoftmax, ") == std::string::npos);
  CHECK_THAT(run({"frontier", "--normalizers", "sigmoid:b=0", "--lengths", "9", "--weights", "0.1,0.2"}).out,
             contains("sigmoid:b=0, n = 9, p = 0.1, 0.2: equal logits give weight 0.5"));
  const auto status = [](const std::string& normalizers, const std::string& weights) {
    const Outcome refused = run({"frontier", "--normalizers", normalizers, "--weights", weights});
    CHECK((refused.status == 0 || refused.err.find("that none of the normalizers gives") != std::string::npos));
    return refused.status;
  };
  CHECK(status("softmax,sparsemax,topk:k=1", "0.5,1.5") == 2);
  CHECK(status("softmax,sigmoid,power:f=square", "1") == 2);
  CHECK(status("softmax,topk:k=1", "1") == 0);
  CHECK(run({"frontier", "--weights", "1.5"}).status == 0);
}

TEST_CASE("frontier gives the same numbers as JSON and as CSV, and draws its curves") {
  const TemporaryFolder folder;
  const std::vector<std::string> arguments = {"frontier", "--lengths", "2,100", "--weights",
                                              "0.9",      "--json",    "-o",    folder.path().string()};
  const Outcome outcome = run(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const nlohmann::json document = nlohmann::json::parse(outcome.out);
  CHECK(document["schema"] == "headroom.frontier/1");
  using Kind = Column::Kind;
  const Table table = parse_csv(content(folder.path() / "frontier.csv"),
                                {{"normalizer", Kind::text},
                                 {"length"},
                                 {"weight"},
                                 {"margin", Kind::optional_number},
                                 {"jacobian_norm", Kind::optional_number},
                                 {"note", Kind::text}},
                                "frontier.csv");
  REQUIRE(document["points"].size() == table.rows());
  CHECK(table.rows() == 24);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const nlohmann::json& point = document["points"][row];
    CHECK(point["normalizer"] == table.texts("normalizer")[row]);
    CHECK(point["length"] == table.numbers("length")[row]);
    CHECK(point["margin"] == table.optional_numbers("margin")[row].value());
    CHECK(point["jacobian_norm"] == table.optional_numbers("jacobian_norm")[row].value());
  }
  for (const char* name : {"frontier.svg", "margin.svg"}) {
    const std::string svg = content(folder.path() / name);
    CHECK_THAT(svg, contains("sparsemax"));
    CHECK_THAT(svg, contains("</svg>"));
  }
  CHECK(std::filesystem::exists(folder.path() / "run.json"));
}

TEST_CASE("frontier refuses what has no answer") {
  const auto refused = [](std::vector<std::string> arguments, const std::string& said) {
    arguments.insert(arguments.begin(), "frontier");
    const Outcome outcome = run(arguments);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, contains(said));
  };
  refused({"--normalizers", "sotfmax"}, "nearest is 'softmax'");
  refused({"--normalizers", "entmax:alpha=0.5"}, "from 1 to 64");
  refused({"--normalizers", "softmax,softmax"}, "twice");
  refused({"--normalizers", "ssmax:q=1"}, "nearest is");
  refused({"--lengths", "1"}, "at least 2");
  refused({"--weights", "0"}, "above 0");
  refused({"--temperature", "0"}, "positive");
  refused({"--weight", "0.5"}, "did you mean --weights?");
}
