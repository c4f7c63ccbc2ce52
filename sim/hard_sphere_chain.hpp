#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "sim/sphere.hpp"

namespace headroom::sim {

/// The `mcmc` sampler. `most_sweeps` limits each pilot chain; throws a usage error when the pilot has not mixed by then
/// (R-hat under 1.01 and an effective sample size of at least 400, for the squared length of the mean, the mean
/// distance to the nearest neighbour and the anisotropy), or when no start was found.
[[nodiscard]] std::unique_ptr<const SphereSampler> make_hard_sphere_chain(std::string name,
                                                                          const SphereProblem& problem,
                                                                          std::size_t most_sweeps);

}  // namespace headroom::sim
