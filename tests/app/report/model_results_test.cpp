// Reports of what compare and diagnose write, from folders that these commands wrote.
#include <set>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "app/output.hpp"
#include "app/report/document.hpp"
#include "app/run.hpp"
#include "catch.hpp"

using namespace headroom::app;
using namespace headroom::app::test;

namespace {

std::string text_in(const TemporaryFolder& folder) {
  write_file(folder / "t.txt", sample_text());
  return folder / "t.txt";
}

Json section_of(const std::string& folder) {
  std::vector<std::string> warnings;
  Json section = report_document({folder}, warnings)["sections"][0];
  CHECK(warnings.empty());
  CHECK(section["missing"].empty());
  return section;
}

std::set<std::string> columns_of(const Json& table) {
  const std::vector<std::string> columns = table["columns"];
  return {columns.begin(), columns.end()};
}

}  // namespace

TEST_CASE("a folder of diagnose is recognised and shown with its limits and the rules that fired") {
  const TemporaryFolder folder;
  REQUIRE(run({"diagnose", "--text", text_in(folder), "--length", "48", "--top", "8", "-o", folder / "d"}).status == 0);
  const Json section = section_of(folder / "d");
  CHECK(section["kind"] == "diagnose");
  CHECK(section["run"]["limits"]["separable"] == 0.8);
  CHECK(section["tables"]["heads"]["rows"] == 144);
  CHECK(columns_of(section["tables"]["heads"]).contains("fired"));
  REQUIRE(run({"report", folder / "d", "--figures", folder / "f"}).status == 0);
  CHECK(content(folder / "f/diagnose-rules.svg").find("active (144)") != std::string::npos);
  CHECK(entries(folder / "f") == 10);
}

TEST_CASE("a folder of compare is recognised and shown whole, with the figures of its normalizers") {
  const TemporaryFolder folder;
  REQUIRE(run({"compare", "--text", text_in(folder), "--length", "48", "--top", "1,4", "--lengths", "24",
               "--normalizers", "softmax,ssmax:s=0.43", "-o", folder / "c"})
              .status == 0);
  const Json section = section_of(folder / "c");
  CHECK(section["kind"] == "compare");
  CHECK(section["tables"]["heads"]["rows"] == 144 * 2 * 2 * 2);
  CHECK(section["tables"]["normalizers"]["rows"] == 2 * 2 * 2);
  for (const char* column :
       {"critical_top", "critical_top_expected", "jacobian_mean", "output_change", "separable_sd"}) {
    CHECK(columns_of(section["tables"]["normalizers"]).contains(column));
  }
  CHECK(section["short"] == Json{{"ssmax:s=0.43,b=0", "ssmax:s=0.43"}});
  CHECK(section["tables"]["frontier"]["rows"] == 2 * 3);
  CHECK(section["tables"]["curves"]["rows"] > 200);
  REQUIRE(run({"report", folder / "c", "--figures", folder / "f"}).status == 0);
  for (const char* name : {"separable", "entropy", "zeros", "output_change", "frontier", "margin"}) {
    CHECK(content(folder / (std::string("f/compare-") + name + ".svg")).find("ssmax:s=0.43<") != std::string::npos);
    CHECK(content(folder / (std::string("f/compare-") + name + ".pdf")).starts_with("%PDF-"));
  }
}
