#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "theory/resolution_law.hpp"
#include "verify/statistics/moments.hpp"

namespace headroom::bench {

/// How far the resolution law is from simulation in one cell. Both see the same draws of the weights, so the means of
/// the differences are free of the weights' own spread; one value per draw.
struct LawDifference {
  std::size_t top = 0;
  verify::Moments simulated;  ///< N_s/N
  verify::Moments plain;      ///< law − N_s/N
  verify::Moments refined;    ///< refined law − N_s/N
};

struct LawCell {
  std::size_t length = 0;
  std::size_t dim = 0;
  std::string logits;
};

/// The two laws of one dimension; shared by threads.
struct Laws {
  theory::ResolutionLaw plain;
  theory::ResolutionLaw refined;
};

/// @param draws of the weights   @param vectors draws of the vectors for each, by the sampler `projected`
[[nodiscard]] LawDifference law_difference(const LawCell& cell, std::size_t top, const Laws& laws, std::uint64_t seed,
                                           std::size_t draws, std::size_t vectors);

}  // namespace headroom::bench
