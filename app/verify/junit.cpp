#include <fmt/format.h>

#include "app/verify/report.hpp"

namespace headroom::app {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

bool VerifyReport::all_as_expected() const {
  for (std::size_t k = 0; k < decisions.size(); ++k) {
    if (!as_expected(k)) return false;
  }
  return true;
}

std::string junit_xml(const VerifyReport& report) {
  std::string cases;
  double seconds = 0.0;
  std::size_t failures = 0;
  for (std::size_t k = 0; k < report.decisions.size(); ++k) {
    const verify::Decision& decision = report.decisions[k];
    seconds += report.run.seconds[k];
    cases +=
        fmt::format("    <testcase classname=\"headroom.{}\" name=\"{}\" time=\"{:.3f}\"",
                    kind_name(report.claims[k]->text().kind), escaped(report.claims[k]->id()), report.run.seconds[k]);
    if (report.as_expected(k)) {
      cases += "/>\n";
      continue;
    }
    ++failures;
    cases += fmt::format(">\n      <failure message=\"{}, expected {}\">{}</failure>\n    </testcase>\n",
                         name(decision.verdict), name(report.expected_of(k)), escaped(decision.reason));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"headroom verify --preset {}\" "
      "tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{:.3f}\">\n{}  </testsuite>\n</testsuites>\n",
      escaped(report.preset), report.decisions.size(), failures, seconds, cases);
}

}  // namespace headroom::app
