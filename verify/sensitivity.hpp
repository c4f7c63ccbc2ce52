#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/head.hpp"

namespace headroom::verify {

/// Algorithm 5 of the paper: how far a step of length ε in the logits moves the weights, at each temperature.
struct SensitivityPlan {
  std::vector<double> temperatures;  ///< T > 0
  std::vector<double> epsilons;      ///< ε > 0
  std::uint64_t seed = 0;            ///< of the random directions
  std::uint64_t cell = 0;            ///< names the head among the streams of the seed
};

/// Means over all rows of one head, of
///   g(T, ε) = ‖softmax((l+εv)/T) − softmax(l/T)‖₂/ε,
/// v uniform on the unit sphere of the visible tokens (g) or the top singular vector of the Jacobian at T (g_worst),
/// and of ‖J‖₂ = ‖diag(α)−ααᵀ‖₂/T. A row with one visible token counts with zeros.
struct Sensitivity {
  std::vector<double> jacobian_norm;  ///< per temperature
  std::vector<double> g;              ///< per temperature and ε, ε fastest
  std::vector<double> g_worst;        ///< likewise
};

/// @param head its `logits` are the raw q·k; weights and vectors are not looked at
/// The difference of the two softmax vectors is formed without cancellation: from expm1 while every |εv_i/T| ≤ 1/2, and
/// for a dominant token always as minus the sum of the others. Relative error of a mean: 1e-9. One direction per row
/// serves every T and ε; it belongs to (seed, cell, row), so the bytes do not depend on the number of threads.
[[nodiscard]] Sensitivity measure_sensitivity(const HeadView& head, const SensitivityPlan& plan);

}  // namespace headroom::verify
