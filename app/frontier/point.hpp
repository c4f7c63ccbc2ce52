#pragma once

#include <optional>
#include <string>

namespace headroom::app {

/// What a normalizer needs to give one token of n the weight p.
struct FrontierAnswer {
  std::optional<double> margin;         ///< the smallest Δ ≥ 0, in logits; nothing where no Δ is enough
  std::optional<double> jacobian_norm;  ///< ‖∂weights/∂logits‖₂ at that row
  std::string note;                     ///< why there is no margin, or why it is 0
};

/// The smallest Δ ≥ 0 at which the first token, of logit Δ, has at least weight p among n − 1 others of logit 0, and
/// the norm of the Jacobian at that row. The others' logits matter where a normalizer is not invariant under shifts
/// (softmax1, sigmoid, the self-adjusted ones, general F): there, 0 is the level that Δ is measured from.
///
/// Where the token has weight p already at Δ = 0 the margin is 0 and the norm that of the row of equal logits.
/// @param spec   canonical, of normalizer_specs
/// @param length n ≥ 2   @param weight p > 0   @param temperature T > 0
[[nodiscard]] FrontierAnswer frontier_answer(const std::string& spec, double length, double weight, double temperature);

/// Whether some margin at some n gives the weight p > 0: most normalizers stay below 1, the sparse ones reach it, and
/// self-adjusted weights have no end.
[[nodiscard]] bool frontier_reaches(const std::string& spec, double weight);

}  // namespace headroom::app
