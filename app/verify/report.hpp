#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/verify/expected.hpp"
#include "verify/claims/run.hpp"

namespace headroom::app {

/// A finished run with its verdicts, ready to be written down.
struct VerifyReport {
  std::string preset;
  std::uint64_t seed = 1;
  std::vector<const verify::Claim*> claims;
  verify::Run run;
  std::vector<verify::Decision> decisions;
  ExpectedVerdicts expected;

  [[nodiscard]] verify::Verdict expected_of(std::size_t claim) const { return expected.at(claims[claim]->id()); }
  [[nodiscard]] bool as_expected(std::size_t claim) const { return decisions[claim].verdict == expected_of(claim); }
  [[nodiscard]] bool all_as_expected() const;
};

[[nodiscard]] std::string_view kind_name(verify::Kind kind);

/// verdicts.json, schema headroom.verdicts/1. Nothing in it depends on the clock or the number of threads.
[[nodiscard]] std::string verdicts_json(const VerifyReport& report);

/// A line of cells.jsonl.
[[nodiscard]] std::string cell_json(const verify::CellRecord& record);

/// JUnit XML: one test case per claim, failed where the verdict is not the expected one.
[[nodiscard]] std::string junit_xml(const VerifyReport& report);

/// The table for people, lines of at most `width` columns.
[[nodiscard]] std::string verdict_table(const VerifyReport& report, std::size_t width, bool colour);

}  // namespace headroom::app
