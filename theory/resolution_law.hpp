#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "theory/coordinate_law.hpp"

namespace headroom::theory {

struct ResolutionOptions {
  /// Absolute error aimed at, numerical errors only; between 1e-6 and 0.1. 1e-4 where a value is shown, 5e-3 for
  /// thousands of rows that are averaged.
  double tolerance = 1e-4;
  /// The refined law: ‖s−y_i‖ is random for N ≥ 3, instead of its root mean square.
  bool refined = false;
};

/// The resolution law (`law` in docs/derivations.md, Section 3): the expected N_s/N of a row whose vectors are uniform
/// on the unit sphere of R^d, independent of the weights, with r the non-selected minimum. With σ_i² = Σ_{k∈I∖i} α_k²
/// and u a coordinate drawn from F_d (CoordinateLaw),
///   (1/N)·Σ_{i∈I} ∫ dF_d(u) Π_{j∈O} F_d((α_j² + B)/(2α_j S)),  B = α_i² + 2α_iσ_i·u,  S² = B + σ_i²;
/// a factor with α_j = 0 is 1 when B > 0 and 0 otherwise; α_i = 0 contributes 0.
///
/// Exact for N ≤ 2. Beyond, it takes ‖s−y_i‖ = σ_i; the refined law draws it: exactly for N = 3, where
/// ‖s−y_i‖² = α_j² + α_k² + 2α_jα_k·v with v from F_d, and for N > 3 from the beta law on
/// [max(0, 2max−Σ)², Σ²] (over α_k, k∈I∖i: what the triangle inequality allows) that has its mean σ_i² and its variance
/// (4/d)·Σ_{j<k∈I∖i} α_j²α_k². Against simulation within 0.01 but for N = 4 and d = 2 (0.02).
///
/// Scale-invariant in the weights, which need not sum to 1. Built once per d and shared: separable() is const,
/// allocates nothing and may be called from several threads.
class ResolutionLaw {
 public:
  /// Requires dim ≥ 2.
  explicit ResolutionLaw(std::size_t dim, ResolutionOptions options = {});

  /// N_s/N for the row's weights in decreasing order, ≥ 0, and N = top. Requires 1 ≤ top < L.
  [[nodiscard]] double separable(std::span<const double> decreasing, std::size_t top) const;

  [[nodiscard]] const CoordinateLaw& coordinate() const noexcept { return *coordinate_; }
  [[nodiscard]] const ResolutionOptions& options() const noexcept { return options_; }

 private:
  struct Rest;
  struct Context;

  /// The integrand at one point of the quadrature over u = sin φ.
  struct Sample {
    double phi;
    double u;
    double product;
    double density;
    [[nodiscard]] double value() const { return product * density; }
  };

  [[nodiscard]] double density(double phi) const noexcept;
  [[nodiscard]] double product(const Rest& rest, double b, double s_squared) const noexcept;
  [[nodiscard]] double separation(const Rest& rest, double weight, double reach_squared) const noexcept;
  [[nodiscard]] double averaged_separation(const Rest& rest, double weight, const Context& context) const noexcept;

  ResolutionOptions options_;
  /// The tolerance worked to: tighter where F_d has steep ends.
  double precision_ = 0.0;
  double power_ = 0.0;   // d − 2
  double factor_ = 0.0;  // the density of φ is factor_·cos^power_ φ
  double end_ = 0.0;     // the quadrature covers |φ| ≤ end_
  double panel_width_ = 0.0;
  std::shared_ptr<const CoordinateLaw> coordinate_;
};

}  // namespace headroom::theory
