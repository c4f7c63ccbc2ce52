#include "app/verify/claims_text.hpp"

#include <fmt/format.h>

#include "app/json.hpp"
#include "app/verify/report.hpp"
#include "verify/claims/registry.hpp"

namespace headroom::app {

std::string claims_text() {
  std::string text;
  for (const verify::ClaimPointer& claim : verify::all_claims()) {
    const verify::ClaimText& about = claim->text();
    text += fmt::format("{} ({})\n    {}\n    source: {}\n    assumes: {}\n", about.id, kind_name(about.kind),
                        about.statement, about.source, about.assumptions);
    text += fmt::format("    quick: {}\n    paper: {}\n    full: {}\n", about.grid[0], about.grid[1], about.grid[2]);
  }
  return text;
}

std::string claims_json() {
  Json list = Json::array();
  for (const verify::ClaimPointer& claim : verify::all_claims()) {
    const verify::ClaimText& about = claim->text();
    list.push_back({{"id", about.id},
                    {"kind", kind_name(about.kind)},
                    {"statement", about.statement},
                    {"source", about.source},
                    {"assumptions", about.assumptions},
                    {"grid", {{"quick", about.grid[0]}, {"paper", about.grid[1]}, {"full", about.grid[2]}}}});
  }
  return Json{{"schema", "headroom.list/1"}, {"claims", list}}.dump(1) + "\n";
}

std::string claims_markdown() {
  const ExpectedVerdicts expected = read_expected(expected_file(), verify::claim_ids());
  std::string text =
      "# Claims\n\n"
      "What `headroom verify` tests, made by `headroom list claims --markdown`; do not edit. The expected verdicts "
      "come "
      "from results/expected.toml. *Pointwise* claims are about every input, *expectation* claims about means, "
      "*asymptotic* ones about limits; *measurements* claim nothing. How a verdict comes about stands in "
      "docs/derivations.md, Section 5.\n\n| claim | kind | expected |\n|---|---|---|\n";
  for (const verify::ClaimPointer& claim : verify::all_claims()) {
    text +=
        fmt::format("| `{}` | {} | {} |\n", claim->id(), kind_name(claim->text().kind), name(expected.at(claim->id())));
  }
  for (const verify::ClaimPointer& claim : verify::all_claims()) {
    const verify::ClaimText& about = claim->text();
    text += fmt::format(
        "\n## `{}`\n\n`{}`\n\n- Source: {}.\n- Assumes: {}.\n- Tested on: quick: {}; paper: {}; full: {}.\n", about.id,
        about.statement, about.source, about.assumptions, about.grid[0], about.grid[1], about.grid[2]);
  }
  return text;
}

}  // namespace headroom::app
