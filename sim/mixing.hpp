#pragma once

#include <span>
#include <vector>

namespace headroom::sim {

/// How well several Markov chains of one scalar have mixed.
struct Mixing {
  double r_hat = 0;                  ///< split R-hat (Gelman and Rubin 1992; chains halved): 1 when mixed
  double effective_sample_size = 0;  ///< of all chains together
};

/// Split R-hat and the effective sample size N/τ, with τ from the chains' autocorrelations by Geyer's initial monotone
/// sequence (Gelman et al., Bayesian Data Analysis 3, 11.4 and 11.5). Chains of equal length n >= 8, at least two.
/// Chains that never move count as not mixed: R-hat infinity, no samples.
[[nodiscard]] Mixing mixing(std::span<const std::vector<double>> chains);

}  // namespace headroom::sim
