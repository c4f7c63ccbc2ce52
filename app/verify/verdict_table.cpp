#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/verify/report.hpp"

namespace headroom::app {
namespace {

// At most five characters.
std::string short_ratio(double value) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value != 0.0 && (std::abs(value) >= 1000.0 || std::abs(value) < 0.001)) return fmt::format("{:.0e}", value);
  return std::abs(value) < 10.0 ? fmt::format("{:.3f}", value) : fmt::format("{:.1f}", value);
}

std::string short_count(std::uint64_t count) {
  if (count < 10'000) return fmt::format("{}", count);
  const double value = static_cast<double>(count);
  return value < 1e6 ? fmt::format("{:.0f}k", value / 1e3) : fmt::format("{:.1f}M", value / 1e6);
}

std::string short_value(const verify::Parameters::value_type& parameter) {
  const double* number = std::get_if<double>(&parameter.second);
  return number != nullptr ? fmt::format("{:.4g}", *number) : std::get<std::string>(parameter.second);
}

std::string short_name(const std::string& name) {
  if (name == "length") return "L";
  if (name == "dim") return "d";
  if (name == "top") return "N";
  return name == "temperature" ? "T" : name;
}

// Numbers first: what is cut at the end of a line are the names of models.
std::string worst_text(const verify::WorstCase& worst) {
  std::string text = fmt::format("{:.4g} for {:.4g}:", worst.observed, worst.bound);
  for (const bool numbers : {true, false}) {
    for (const auto& parameter : worst.parameters) {
      if (std::holds_alternative<double>(parameter.second) != numbers) continue;
      const std::string name = short_name(parameter.first);
      const bool plain = parameter.first == "logits" || parameter.first == "normalizer";
      text += plain ? " " + short_value(parameter) : " " + name + "=" + short_value(parameter);
    }
  }
  return text;
}

std::string remark(const verify::ClaimResult& result) {
  if (result.worst) return worst_text(*result.worst);
  if (result.measured.empty()) return "";
  const auto& [what, value] = result.measured.back();
  return fmt::format("{}: {:.3g}", what, value);
}

std::string cut(std::string text, std::size_t width) {
  if (text.size() > width) text = text.substr(0, width > 2 ? width - 2 : 0) + "..";
  return text;
}

// Below this width the worst cases of what did not hold get lines of their own.
constexpr std::size_t wide = 100;

bool worth_a_line(const VerifyReport& report, std::size_t k) {
  const verify::Verdict verdict = report.decisions[k].verdict;
  return !report.as_expected(k) || verdict == verify::Verdict::refuted || verdict == verify::Verdict::measured;
}

}  // namespace

std::string verdict_table(const VerifyReport& report, std::size_t width, bool colour) {
  const auto line = [&](const std::string& id, std::string_view verdict, std::string_view expected,
                        const std::string& middle, const std::string& largest, const std::string& trials,
                        const std::string& last) {
    std::string text =
        fmt::format("{:<23} {:<12} {:<14} {:>5} {:>5} {:>6}  ", id, verdict, expected, middle, largest, trials);
    if (width >= wide) text += cut(last, width - std::min(width, text.size()));
    while (text.back() == ' ') text.pop_back();
    return text + "\n";
  };
  std::string table = line("claim", "verdict", "expected", "mid", "max", "trials", "worst: observed for bound");
  std::size_t unexpected = 0;
  for (std::size_t k = 0; k < report.decisions.size(); ++k) {
    const verify::ClaimResult& result = report.run.results[k];
    const bool fine = report.as_expected(k);
    unexpected += fine ? 0 : 1;
    const std::string expected = fmt::format("{}{}", fine ? "" : "! ", name(report.expected_of(k)));
    const std::string row =
        line(result.id, name(report.decisions[k].verdict), expected,
             result.tightness ? short_ratio(result.tightness->q50) : "",
             result.tightness ? short_ratio(result.tightness->max) : "", short_count(result.trials), remark(result));
    table += colour && !fine ? "\x1b[31m" + row.substr(0, row.size() - 1) + "\x1b[0m\n" : row;
    if (width < wide && worth_a_line(report, k)) table += cut("    " + remark(result), width) + "\n";
  }
  table += "mid, max: median and largest tightness, observed/bound (bound/observed where\n";
  table += "the bound is a lower one); 1 is attained, more is violated\n";
  table += unexpected == 0
               ? fmt::format("{} claims, every verdict as expected\n", report.decisions.size())
               : fmt::format("{} claims, {} not as expected (marked !)\n", report.decisions.size(), unexpected);
  return table;
}

}  // namespace headroom::app
