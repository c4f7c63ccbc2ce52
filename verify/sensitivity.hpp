#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/head.hpp"
#include "verify/precision.hpp"

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

/// Algorithm 5 on the rows of one head, strip by strip. The difference of the two softmax vectors is formed without
/// cancellation: from expm1 while every |εv_i/T| ≤ 1/2, and for a dominant token always as minus the sum of the others.
/// Relative error of a mean: 1e-9, in single precision 1e-5. One
/// direction per row serves every T and ε; it belongs to (seed, cell, row), so the bytes do not depend on the strips or
/// the number of threads.
class SensitivityPass {
 public:
  SensitivityPass(SensitivityPlan plan, std::size_t rows, Precision precision);

  /// Scratch memory of one thread.
  class Workspace {
   public:
    Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    ~Workspace();

   private:
    friend class SensitivityPass;
    struct State;
    std::unique_ptr<State> state_;
  };

  /// Measures the rows of a strip, whose first is row `first` of the head. Its `logits` are the raw q·k; weights and
  /// vectors are not looked at. Threads may take different strips at once.
  void run(const HeadView& strip, std::size_t first, Workspace& workspace);

  /// Means over all rows, in row order.
  [[nodiscard]] Sensitivity means() const;

 private:
  SensitivityPlan plan_;
  std::size_t rows_;
  Precision precision_;
  std::vector<double> values_;  // rows × (temperatures × (‖J‖, g per ε, g_worst per ε))
};

/// The whole of one head, in parallel over its rows.
[[nodiscard]] Sensitivity measure_sensitivity(const HeadView& head, const SensitivityPlan& plan,
                                              Precision precision = Precision::full);

}  // namespace headroom::verify
