#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/normalizer_form.hpp"
#include "sim/row_block.hpp"
#include "sim/row_normalizer.hpp"

namespace headroom::sim {

/// The kernel of a normalizer, and what it is called with.
template <class Real>
class KernelChoice {
 public:
  explicit KernelChoice(NormalizerForm form);

  /// Whether −∞ is a token of weight 0 that nothing else of the row depends on; otherwise rows must have none.
  [[nodiscard]] bool takes_masked() const;

  /// Whether the factor of the logits or the bias depends on how many tokens a row has.
  [[nodiscard]] bool depends_on_length() const;

  /// Fills in the factor and the bias of rows of n tokens; false where they are outside the kernel's range.
  [[nodiscard]] bool prepare(RowBlock<Real>& rows, std::size_t n, double temperature) const;

  /// Returns how many of the rows it has done: RowBlock says why it stops.
  std::size_t run(const RowBlock<Real>& rows, std::vector<double>& scratch) const;

  [[nodiscard]] WeightError worst_error() const;

  /// ‖J‖₂ at weights of a row of `n` tokens that are not masked; nothing where J has no form the secular equation
  /// knows.
  /// @param memory scratch
  [[nodiscard]] std::optional<double> jacobian_norm(std::span<const Real> weights, std::size_t n, double temperature,
                                                    std::vector<double>& memory) const;

 private:
  NormalizerForm form_;
};

}  // namespace headroom::sim
