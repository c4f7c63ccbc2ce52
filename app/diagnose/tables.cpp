#include "app/diagnose/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/csv.hpp"

namespace headroom::app {
namespace {

/// A rule as the summary tells it: the number it looks at, its limit in words, and the paper's advice.
struct RuleText {
  Rule rule;
  std::string limit;
  std::string number;
  double (*of)(const HeadProfile&);
  std::string advice;
};

std::vector<RuleText> rule_texts(const RuleLimits& limits, const ProfileOptions& options) {
  return {{Rule::active, fmt::format("active set > {} L", number_text(limits.active_share)), "active/L",
           [](const HeadProfile& head) { return head.active / head.tokens; },
           "select fewer: a sparse or length-aware normalizer, or a lower temperature"},
          {Rule::separable, fmt::format("N_s/N < {} at N = {}", number_text(limits.separable), options.top), "N_s/N",
           [](const HeadProfile& head) { return head.separable; },
           "the head is saturated: fewer tokens, or more heads or dimensions"},
          {Rule::entropy, fmt::format("dH/dlogL > {}", number_text(limits.slope)), "dH/dlogL",
           [](const HeadProfile& head) { return head.slope.value_or(0.0); },
           "the weights spread as the context grows: a length-aware normalizer"},
          {Rule::temperature, fmt::format("effective T < {}", number_text(limits.temperature)), "effective T",
           [](const HeadProfile& head) { return head.effective_temperature; },
           "the weights jump with the logits: a higher temperature"}};
}

struct Spread {
  double least = 0;
  double median = 0;
  double most = 0;
};

Spread spread_of(std::span<const HeadProfile> heads, double (*of)(const HeadProfile&)) {
  std::vector<double> values;
  for (const HeadProfile& head : heads) values.push_back(of(head));
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {values.front(), median, values.back()};
}

std::size_t count_fired(std::span<const HeadProfile> heads, Rule rule, const RuleLimits& limits) {
  return static_cast<std::size_t>(
      std::count_if(heads.begin(), heads.end(), [&](const HeadProfile& head) { return fired(rule, head, limits); }));
}

std::size_t count_group(std::span<const HeadProfile> heads, const std::string& group, const RuleLimits& limits) {
  return static_cast<std::size_t>(std::count_if(
      heads.begin(), heads.end(), [&](const HeadProfile& head) { return head_group(head, limits) == group; }));
}

}  // namespace

Table diagnosis_table(std::span<const HeadProfile> heads, const RuleLimits& limits) {
  using Kind = Column::Kind;
  Table table({{"layer"},
               {"head"},
               {"queries"},
               {"tokens"},
               {"active"},
               {"active_share"},
               {"separable"},
               {"separable_law"},
               {"entropy"},
               {"entropy_slope", Kind::optional_number},
               {"effective_temperature"},
               {"max_weight"},
               {"first_weight"},
               {"group", Kind::text},
               {"fired", Kind::text}},
              "heads.csv");
  for (const HeadProfile& head : heads) {
    table.add({static_cast<double>(head.layer), static_cast<double>(head.head), static_cast<double>(head.queries),
               head.tokens, head.active, head.active / head.tokens, head.separable, head.separable_law, head.entropy,
               head.slope ? Cell(*head.slope) : Cell(), head.effective_temperature, head.max_weight, head.first_weight,
               head_group(head, limits), fired_rules(head, limits)});
  }
  return table;
}

std::string diagnosis_text(std::span<const HeadProfile> heads, const RuleLimits& limits,
                           const ProfileOptions& options) {
  std::string text = fmt::format("{:>5} {:>4}  {:<9} {:>7} {:>8} {:>7} {:>7} {:>9} {:>6} {:>7} {:>6}  {}\n", "layer",
                                 "head", "group", "active", "active/L", "N_s/N", "by law", "dH/dlogL", "eff. T",
                                 "largest", "first", "beyond the limit");
  for (const HeadProfile& head : heads) {
    text += fmt::format("{:>5} {:>4}  {:<9} {:>7.1f} {:>8.3f} {:>7.3f} {:>7.3f} {:>9} {:>6.3g} {:>7.3f} {:>6.3f}  {}\n",
                        head.layer, head.head, head_group(head, limits), head.active, head.active / head.tokens,
                        head.separable, head.separable_law, head.slope ? fmt::format("{:.3f}", *head.slope) : "-",
                        head.effective_temperature, head.max_weight, head.first_weight, fired_rules(head, limits));
  }
  text += fmt::format(
      "\nMeans over the {} queries that see more than half of the tokens, {:.0f} on average; active: the "
      "tokens that hold {} of the weight.\n\n",
      heads.front().queries, heads.front().tokens, number_text(options.active_share));
  text +=
      fmt::format("{:<24} {:>12}   {:<12} {:>8} {:>8} {:>8}\n", "limit", "heads beyond", "", "least", "median", "most");
  const std::vector<RuleText> rules = rule_texts(limits, options);
  for (const RuleText& rule : rules) {
    const Spread spread = spread_of(heads, rule.of);
    text += fmt::format("{:<24} {:>12}   {:<12} {:>8.3f} {:>8.3f} {:>8.3f}\n", rule.limit,
                        fmt::format("{} of {}", count_fired(heads, rule.rule, limits), heads.size()), rule.number,
                        spread.least, spread.median, spread.most);
  }
  text += fmt::format("\n{} sinks (first token >= {}), {} retrievers (largest weight >= {}), {} mixers\n",
                      count_group(heads, "sink", limits), number_text(limits.sink_weight),
                      count_group(heads, "retriever", limits), number_text(limits.retriever_weight),
                      count_group(heads, "mixer", limits));
  bool any = false;
  for (const RuleText& rule : rules) {
    const std::size_t count = count_fired(heads, rule.rule, limits);
    if (count == 0) continue;
    if (!any)
      text += "\nWhat the paper advises for them; `headroom frontier` shows what each normalizer asks for and gives:\n";
    any = true;
    text += fmt::format("  {:>3} heads with {}: {}\n", count, rule.limit, rule.advice);
  }
  return text;
}

Json limits_json(const RuleLimits& limits, const ProfileOptions& options) {
  return {{"active_share", limits.active_share}, {"active_mass", options.active_share},
          {"separable", limits.separable},       {"top", options.top},
          {"entropy_slope", limits.slope},       {"effective_temperature", limits.temperature},
          {"sink_weight", limits.sink_weight},   {"retriever_weight", limits.retriever_weight}};
}

Json diagnosis_json(std::span<const HeadProfile> heads, const RuleLimits& limits, const ProfileOptions& options) {
  Json list = Json::array();
  for (const HeadProfile& head : heads) {
    Json rules = Json::array();
    for (std::size_t rule = 0; rule < rule_names.size(); ++rule) {
      if (fired(static_cast<Rule>(rule), head, limits)) rules.push_back(rule_names[rule]);
    }
    list.push_back({{"layer", head.layer},
                    {"head", head.head},
                    {"group", head_group(head, limits)},
                    {"queries", head.queries},
                    {"tokens", head.tokens},
                    {"active", head.active},
                    {"separable", head.separable},
                    {"separable_law", head.separable_law},
                    {"entropy", head.entropy},
                    {"entropy_slope", head.slope ? Json(*head.slope) : Json()},
                    {"effective_temperature", head.effective_temperature},
                    {"max_weight", head.max_weight},
                    {"first_weight", head.first_weight},
                    {"fired", rules}});
  }
  Json summary = Json::object();
  for (std::size_t rule = 0; rule < rule_names.size(); ++rule) {
    summary[std::string(rule_names[rule])] = count_fired(heads, static_cast<Rule>(rule), limits);
  }
  for (const char* group : {"sink", "retriever", "mixer"}) summary[group] = count_group(heads, group, limits);
  return {{"schema", "headroom.diagnose/1"},
          {"limits", limits_json(limits, options)},
          {"summary", summary},
          {"heads", list}};
}

}  // namespace headroom::app
