#include "app/diagnose/rules.hpp"

namespace headroom::app {

bool fired(Rule rule, const HeadProfile& head, const RuleLimits& limits) {
  switch (rule) {
    case Rule::active:
      return head.active > limits.active_share * head.tokens;
    case Rule::separable:
      return head.separable < limits.separable;
    case Rule::entropy:
      return head.slope && *head.slope > limits.slope;
    case Rule::temperature:
      return head.effective_temperature < limits.temperature;
  }
  return false;
}

std::string fired_rules(const HeadProfile& head, const RuleLimits& limits) {
  std::string names;
  for (std::size_t rule = 0; rule < rule_names.size(); ++rule) {
    if (fired(static_cast<Rule>(rule), head, limits)) (names += names.empty() ? "" : "+") += rule_names[rule];
  }
  return names;
}

std::string head_group(const HeadProfile& head, const RuleLimits& limits) {
  if (head.first_weight >= limits.sink_weight) return "sink";
  return head.max_weight >= limits.retriever_weight ? "retriever" : "mixer";
}

}  // namespace headroom::app
