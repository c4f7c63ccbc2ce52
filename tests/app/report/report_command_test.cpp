#include <filesystem>
#include <set>
#include <string>

#include "app/json.hpp"
#include "app/output.hpp"
#include "app/report/assets.hpp"
#include "app/report/document.hpp"
#include "app/report/result_folders.hpp"
#include "app/run.hpp"
#include "catch.hpp"
#include "core/error.hpp"

using namespace headroom::app;
using namespace headroom::app::test;
namespace fs = std::filesystem;

namespace {

Json document_of(const std::string& folder) {
  std::vector<std::string> warnings;
  return report_document({folder}, warnings);
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a report of several folders has a section for each, in the order of the command line") {
  const TemporaryFolder folder;
  write_verify_folder(folder / "claims");
  write_reproduce_folder(folder / "figures");
  std::vector<std::string> warnings;
  const Json document = report_document({folder / "claims", folder / "figures"}, warnings);
  CHECK(warnings.empty());
  CHECK(document["schema"] == "headroom.report/1");
  REQUIRE(document["sections"].size() == 2);
  CHECK(document["sections"][0]["kind"] == "verify");
  CHECK(document["sections"][0]["texts"]["cor3"]["source"] == "arXiv 2508.17821, Corollary 3, as printed");
  CHECK(document["sections"][0]["cells"].size() == 2);
  CHECK(document["sections"][1]["kind"] == "reproduce");
  CHECK(document["sections"][1]["tables"].size() == 6);
  CHECK(document["sections"][1]["tables"]["heads"]["rows"] == 54);
}

TEST_CASE("a folder that is no result is refused, and so is a file or nothing at all") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "empty");
  write_file(folder / "file", "x");
  fs::create_directories(folder / "other");
  write_file(folder / "other/run.json", R"({"schema":"another.tool/1"})");
  for (const char* name : {"empty", "file", "other", "nowhere"}) {
    const Outcome outcome = run({"report", folder / name, "--figures", folder / "figures"});
    INFO(outcome.err);
    CHECK(outcome.status == 3);
    CHECK(mentions(outcome.err, folder / name));
  }
}

TEST_CASE("a schema of a newer headroom is refused by name") {
  const TemporaryFolder folder;
  write_reproduce_folder(folder / "newer");
  write_file(folder / "newer/run.json", R"({"schema":"headroom.reproduce/2"})");
  const Outcome outcome = run({"report", folder / "newer", "--figures", folder / "figures"});
  CHECK(outcome.status == 3);
  CHECK(mentions(outcome.err, "headroom.reproduce/2 is newer than this program, which reads headroom.reproduce/1"));
}

TEST_CASE("of a half-written folder the missing parts are named and the rest is reported") {
  const TemporaryFolder folder;
  write_reproduce_folder(folder / "half");
  fs::remove(folder / "half/run.json");
  fs::remove(folder / "half/figure4.csv");
  const std::string whole = content(folder / "half/figure3.csv");
  write_file(folder / "half/figure3.csv", whole.substr(0, whole.size() - 3));
  const Json section = document_of(folder / "half")["sections"][0];
  CHECK(section["tables"].contains("figure2a"));
  CHECK(section["tables"].contains("heads"));
  CHECK_FALSE(section["tables"].contains("figure3"));
  std::set<std::string> missing;
  for (const Json& one : section["missing"]) missing.insert(one["part"].get<std::string>());
  CHECK(missing == std::set<std::string>{"run.json", "figure3.csv", "figure4.csv"});
}

TEST_CASE("figures that a run was not asked for are not missing") {
  const TemporaryFolder folder;
  write_reproduce_folder(folder / "some");
  Json record = Json::parse(content(folder / "some/run.json"));
  record["figures"] = {"3"};
  write_file(folder / "some/run.json", record.dump());
  for (const char* name : {"figure2a.csv", "figure2b.csv", "figure2c.csv", "figure4.csv"}) {
    fs::remove((folder / "some") + "/" + name);
  }
  const Json section = document_of(folder / "some")["sections"][0];
  CHECK(section["missing"].empty());
  CHECK(section["tables"].size() == 2);
}

TEST_CASE("a verify run that was stopped is reported from its finished cells") {
  const TemporaryFolder folder;
  write_verify_folder(folder / "stopped");
  fs::remove(folder / "stopped/verdicts.json");
  fs::remove(folder / "stopped/run.json");
  const std::string cells = content(folder / "stopped/cells.jsonl");
  write_file(folder / "stopped/cells.jsonl", cells.substr(0, cells.size() - 5));
  const Json section = document_of(folder / "stopped")["sections"][0];
  CHECK(section["kind"] == "verify");
  CHECK(section["cells"].size() == 1);
  std::string missing = section["missing"].dump();
  CHECK(mentions(missing, "verdicts.json"));
  CHECK(mentions(missing, "cells.jsonl, line 2"));
}

TEST_CASE("every figure of a folder is written as SVG and as PDF, whatever the names it shows hold") {
  const TemporaryFolder folder;
  write_reproduce_folder(folder / "rep", "/models/<script>alert(1)</script>\"'/model.onnx");
  write_verify_folder(folder / "ver");
  const Outcome outcome = run({"report", folder / "rep", folder / "ver", "--figures", folder / "figures"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(entries(folder / "figures") == 14);
  for (const char* name : {"reproduce-figure2a", "reproduce-figure2b", "reproduce-figure2c", "reproduce-figure3",
                           "reproduce-figure4", "reproduce-heads", "verify-tightness"}) {
    const std::string file = (folder / "figures") + "/" + name;
    CHECK_FALSE(mentions(content(file + ".svg"), "<script"));
    CHECK(content(file + ".pdf").starts_with("%PDF-"));
  }
}

TEST_CASE("a folder of frontier comes with its tables and figures") {
  const TemporaryFolder folder;
  REQUIRE(run({"frontier", "--normalizers", "softmax,sparsemax", "-o", folder / "frontier"}).status == 0);
  std::vector<std::string> warnings;
  const Json section = report_document({folder / "frontier"}, warnings)["sections"][0];
  CHECK(warnings.empty());
  CHECK(section["tables"]["frontier"]["rows"] == 18);
  CHECK(section["tables"].contains("curves"));
  const Outcome outcome = run({"report", folder / "frontier", "--figures", folder / "figures"});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(entries(folder / "figures") == 4);
}

TEST_CASE("the page is one file without an address to fetch from") {
  const TemporaryFolder folder;
  write_reproduce_folder(folder / "rep");
  const Outcome outcome = run({"report", folder / "rep", "-o", folder / "report.html"});
  try {
    (void)page_assets();
  } catch (const headroom::Error&) {
    CHECK(outcome.status == 3);
    CHECK(mentions(outcome.err, "reports are off"));
    return;
  }
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  std::string page = content(folder / "report.html");
  CHECK(page.size() < 8'000'000);
  // Plotly's program knows addresses; what we wrote around it has none to load.
  page.erase(page.find(page_assets().plotly), page_assets().plotly.size());
  CHECK_FALSE(mentions(page, "src=\"http"));
  CHECK_FALSE(mentions(page, "href=\"http"));
}

TEST_CASE("report without a file or folder to write to is wrong usage") {
  const TemporaryFolder folder;
  write_verify_folder(folder / "ver");
  CHECK(run({"report", folder / "ver"}).status == 2);
  CHECK(run({"report", "-o", folder / "page.html"}).status == 2);
}
