#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/normalizer_form.hpp"
#include "sim/row_normalizer.hpp"
#include "sim/scaled_logits.hpp"

namespace headroom::sim {

/// The kernel of a normalizer, and what it is called with.
template <class Real>
class KernelChoice {
 public:
  explicit KernelChoice(NormalizerForm form);

  /// The factor of the logits of a row of n tokens, over the temperature.
  [[nodiscard]] DoubleDouble scale_of(std::size_t n, double temperature) const;

  /// Fills in what depends on a row's tokens, the rest being scale_of() any; false where the kernel cannot take the row
  /// as it is: −∞ tokens that would change the weights of the others, or a factor outside its range.
  [[nodiscard]] bool prepare(RowTask<Real>& task, double temperature) const;

  /// How many numbers of scratch a row of n tokens takes.
  [[nodiscard]] std::size_t scratch(std::size_t n) const;

  /// @param scratch as many as the longest row takes
  void run(std::span<RowTask<Real>> tasks, double* scratch) const;

  [[nodiscard]] WeightError worst_error() const;

  /// Whether the factor of the logits depends on how many tokens a row has.
  [[nodiscard]] bool scales_with_length() const { return form_.scale.varies(); }

  /// ‖J‖₂ at weights of a row of `n` tokens that are not masked; nothing where J has no form the secular equation
  /// knows.
  /// @param memory scratch
  [[nodiscard]] std::optional<double> jacobian_norm(std::span<const Real> weights, std::size_t n, double temperature,
                                                    std::vector<double>& memory) const;

 private:
  [[nodiscard]] bool takes_masked() const;

  NormalizerForm form_;
};

}  // namespace headroom::sim
