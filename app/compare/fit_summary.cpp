#include "app/compare/fit_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/plot/box.hpp"

namespace headroom::app {
namespace {

std::string head_name(std::size_t layer, std::size_t head) { return fmt::format("{}.{}", layer, head); }

Json range_json(std::vector<double> values) {
  if (values.empty()) return nullptr;
  std::sort(values.begin(), values.end());
  return {{"min", values.front()}, {"median", plot::quantile(values, 0.5)}, {"max", values.back()}};
}

Json largest_deviation(std::span<const HeadComparison> measured, std::size_t normalizer, Match match) {
  Json largest;
  double most = -1;
  for (const HeadComparison& head : measured) {
    if (head.normalizer != normalizer) continue;
    const double deviation = std::abs(matched_value(head.at_length.back(), match) - head.target.value());
    if (deviation <= most) continue;
    most = deviation;
    largest = {{"head", head_name(head.layer, head.head)}, {"deviation", deviation}};
  }
  return largest;
}

Json normalizer_json(std::span<const HeadFits> fits, std::span<const HeadComparison> measured,
                     const CompareOptions& options, std::size_t normalizer) {
  const Candidate candidate(options.normalizers[normalizer]);
  std::vector<double> temperatures;
  std::vector<double> scales;
  Json unmatched = Json::array();
  for (const HeadFits& head : fits) {
    const Fit& fit = head.of[normalizer];
    if (!fit.reached) {
      unmatched.push_back(head_name(head.layer, head.head));
      continue;
    }
    temperatures.push_back(fit.temperature);
    if (const auto scale = candidate.effective_scale(fit.temperature)) scales.push_back(*scale);
  }
  Json json = {{"normalizer", candidate.name()}, {"temperature", range_json(std::move(temperatures))}};
  if (!scales.empty()) json["effective_scale"] = range_json(std::move(scales));
  if (!measured.empty()) json["largest_deviation"] = largest_deviation(measured, normalizer, options.match);
  json["unmatched"] = std::move(unmatched);
  return json;
}

}  // namespace

bool all_reached(std::span<const HeadFits> fits) {
  return std::all_of(fits.begin(), fits.end(), [](const HeadFits& head) {
    return std::all_of(head.of.begin(), head.of.end(), [](const Fit& fit) { return fit.reached; });
  });
}

Json fit_summary(std::span<const HeadFits> fits, std::span<const HeadComparison> measured,
                 const CompareOptions& options) {
  std::vector<double> targets;
  for (const HeadFits& head : fits) targets.push_back(head.of.front().target);
  Json normalizers = Json::array();
  for (std::size_t i = 0; i < options.normalizers.size(); ++i) {
    normalizers.push_back(normalizer_json(fits, measured, options, i));
  }
  return {{"target", range_json(std::move(targets))}, {"normalizers", std::move(normalizers)}};
}

}  // namespace headroom::app
