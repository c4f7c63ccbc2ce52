#include <sstream>

#include "app/verify/report.hpp"
#include "catch.hpp"
#include "verify/claims/registry.hpp"

using namespace headroom;

namespace {

app::VerifyReport report(verify::Verdict found) {
  app::VerifyReport report;
  report.preset = "quick";
  report.claims = verify::claims_named({"jacobian.sasoftmax-norm"});
  verify::ClaimResult result;
  result.id = report.claims.front()->id();
  result.trials = 1'234'567;
  result.tightness = verify::Tightness{0.51234, 0.9, 1e12};
  result.worst = verify::WorstCase{
      {{"length", 1024.0}, {"dim", 768.0}, {"normalizer", "sasoftmax-norm"}}, "at most", 0.123456789, 0.1};
  report.run.results = {result};
  report.run.seconds = {0.5};
  report.decisions = {{found, "reason <&>", {}, {}}};
  report.expected = {{result.id, verify::Verdict::holds}};
  return report;
}

}  // namespace

TEST_CASE("the table keeps to the terminal's width and marks what is not as expected") {
  for (const std::size_t width : {80U, 100U}) {
    const std::string table = verdict_table(report(verify::Verdict::inconclusive), width, false);
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= width);
    CHECK_THAT(table, contains("inconclusive ! holds"));
    CHECK_THAT(table, contains("1 not as expected"));
    CHECK_THAT(table, contains("1.2M"));
    CHECK_THAT(table, contains("0.1235 for 0.1"));
  }
  CHECK_THAT(verdict_table(report(verify::Verdict::holds), 80, false), contains("every verdict as expected"));
}

TEST_CASE("colour is used for what is not as expected, and only when asked for") {
  CHECK_THAT(verdict_table(report(verify::Verdict::refuted), 100, true), contains("\x1b[31m"));
  CHECK_THAT(verdict_table(report(verify::Verdict::refuted), 100, false), !contains("\x1b["));
  CHECK_THAT(verdict_table(report(verify::Verdict::holds), 100, true), !contains("\x1b["));
}

TEST_CASE("a claim that is not as expected fails its JUnit case, with the reason escaped") {
  const std::string xml = junit_xml(report(verify::Verdict::refuted));
  CHECK_THAT(xml, contains("failures=\"1\""));
  CHECK_THAT(xml, contains("<failure message=\"refuted, expected holds\">reason &lt;&amp;&gt;</failure>"));
}
