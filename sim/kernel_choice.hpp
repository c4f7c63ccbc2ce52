#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/row_normalizer.hpp"
#include "sim/scaled_logits.hpp"

namespace headroom::sim {

enum class KernelKind {
  softmax,
  softmax1,
  self_adjust,
  self_adjust_normalized,
  sparsemax,
  entmax15,
  entmax,
  top_k,
  sigmoid,
  softplus,
  square,
  cosh
};

/// Which kernel a spec means, and what it is called with.
template <class Real>
class KernelChoice {
 public:
  [[nodiscard]] static KernelChoice of(std::string_view spec);

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
  [[nodiscard]] bool scales_with_length() const { return slope_ != 0; }

  /// ‖J‖₂ at weights of a row of `n` tokens that are not masked; nothing where J has no form the secular equation
  /// knows.
  /// @param memory scratch
  [[nodiscard]] std::optional<double> jacobian_norm(std::span<const Real> weights, std::size_t n, double temperature,
                                                    std::vector<double>& memory) const;

 private:
  [[nodiscard]] long double factor(std::size_t n) const;
  [[nodiscard]] bool takes_masked() const;

  KernelKind kind_ = KernelKind::softmax;
  double alpha_ = 2;
  std::size_t k_ = 0;
  std::optional<double> bias_;
  // z = l·(constant + slope·log(n + more)^power)/T
  double constant_ = 1;
  double slope_ = 0;
  double more_ = 0;
  double power_ = 1;
};

}  // namespace headroom::sim
