#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix_view.hpp"
#include "core/visibility.hpp"
#include "sim/normalizer.hpp"

namespace headroom::sim {

/// How far a weight may be from the exact one: |error| <= (ulp + sum)·(unit in the last place of the weight) + floor.
///
/// `sum` is what all weights of a row share: the 32 tokens that a lane adds up before the sum goes on in more precision
/// can lose half a unit each beside one that is far ahead. Of rows of up to 64 tokens of float and 32 of double it is
/// part of `ulp`.
struct WeightError {
  double ulp = 0;
  double sum = 0;
  double floor = 0;
};

/// A normalizer at the speed of memory: the weights of make_normalizer's object to the precision of Real, float or
/// double, by the vector instructions of this machine.
///
/// Rules for masked tokens, errors and empty rows are Normalizer's, which stays the reference: float64, every bit the
/// row determines. The bytes are the same for any number of threads, and on AVX2 and AVX-512.
template <class Real>
class RowNormalizer {
 public:
  /// Usage errors as make_normalizer's.
  explicit RowNormalizer(std::string_view spec, EmptyRow empty_row = EmptyRow::error);
  RowNormalizer(RowNormalizer&&) noexcept;
  RowNormalizer& operator=(RowNormalizer&&) noexcept;
  ~RowNormalizer();

  /// Weights of one row of n logits; `weights` has n elements and may be the same memory as `logits`. Where an error is
  /// thrown they are undefined. `row` is for messages.
  void weights(std::span<const Real> logits, double temperature, std::span<Real> weights, std::size_t row = 0) const;

  /// Weights of the tokens each query sees, rows in parallel; may be in place. Logits outside the range a query sees
  /// are neither read nor their weights written: the caller's zeros stay. Within the range, what a mask hides gets 0.
  /// @param first_row what messages call the first row
  void weights(MatrixView<const Real> logits, const Visibility& visibility, double temperature,
               MatrixView<Real> weights, std::size_t first_row = 0) const;

  /// ‖J‖₂ of every row, J = ∂weights/∂logits, from its logits and the weights this object gave them, rows in parallel:
  /// the secular equation where J = c·(diag(w) − ρwwᵀ), the largest element where it is diagonal, both to the precision
  /// of the weights; for sasoftmax and power, a diagonal less up to three outer products, low_rank_norm() of the
  /// float64 reference. All in O(n). An empty row has norm 0.
  [[nodiscard]] std::vector<double> jacobian_norms(MatrixView<const Real> logits, MatrixView<const Real> weights,
                                                   const Visibility& visibility, double temperature) const;

  /// The worst error of the kernel for rows of any length with |z| <= 10⁸: `sum` by derivation, the rest as measured
  /// against 128-bit evaluation with a margin; the test reads it.
  [[nodiscard]] WeightError worst_error() const;

  /// The float64 reference with the same spec.
  [[nodiscard]] const Normalizer& reference() const;
  [[nodiscard]] const std::string& name() const { return reference().name(); }

  struct Form;

 private:
  std::unique_ptr<const Form> form_;
};

extern template class RowNormalizer<float>;
extern template class RowNormalizer<double>;

}  // namespace headroom::sim
