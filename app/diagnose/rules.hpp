#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::app {

/// What is measured of one head for its diagnosis: means over the queries that see more than half of the window, so
/// that they describe the head at that context length, and one slope over all lengths.
struct HeadProfile {
  std::size_t layer = 0;
  std::size_t head = 0;
  std::size_t queries = 0;           ///< averaged over
  double tokens = 0;                 ///< L: tokens a query sees
  double active = 0;                 ///< tokens that together hold the share of the weight asked for (active_set)
  double separable = 0;              ///< N_s/N
  double separable_law = 0;          ///< what the resolution law gives for the same weights and isotropic vectors
  double entropy = 0;                ///< nats
  std::optional<double> slope;       ///< of the entropy on log L, least squares over queries; nothing for equal lengths
  double effective_temperature = 0;  ///< theory::EffectiveTemperature of `entropy`
  double max_weight = 0;             ///< largest weight
  double first_weight = 0;           ///< weight of the first token the query sees
};

/// The three guidelines of arXiv 2508.17821, Section 5, as limits, and what tells the groups of heads apart.
struct RuleLimits {
  double active_share = 0.06;     ///< active set above this times L
  double separable = 0.8;         ///< N_s/N below this
  double slope = 0.05;            ///< entropy rising faster than this per unit of log L
  double temperature = 0.1;       ///< effective temperature below this
  double sink_weight = 0.3;       ///< a sink gives the first token at least this weight
  double retriever_weight = 0.5;  ///< a retriever, no sink, gives its largest weight at least this
};

/// Guideline 1 is `active`, guideline 2 is `separable` and `entropy`, guideline 3 is `temperature`.
enum class Rule : std::size_t { active, separable, entropy, temperature };
inline constexpr std::array<std::string_view, 4> rule_names = {"active", "separable", "entropy", "temperature"};

/// Whether the head's number is beyond the limit; equality is not.
[[nodiscard]] bool fired(Rule rule, const HeadProfile& head, const RuleLimits& limits);

/// The rules that fired, joined by "+"; empty when none did.
[[nodiscard]] std::string fired_rules(const HeadProfile& head, const RuleLimits& limits);

/// "sink", "retriever" or "mixer" (the rest), in this order.
[[nodiscard]] std::string head_group(const HeadProfile& head, const RuleLimits& limits);

}  // namespace headroom::app
