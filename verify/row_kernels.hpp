#pragma once

#include <cstddef>

#include "verify/lanes.hpp"

namespace headroom::verify {

/// The per-token arrays of one row that every N shares. All are padded to a multiple of `lane_group_of<Real>` entries,
/// the padding with zeros (rank: −1), so that no kernel needs a tail.
template <class Real>
struct RowArrays {
  std::size_t padded = 0;
  const Real* alpha = nullptr;    ///< α_i
  const Real* norm2 = nullptr;    ///< ‖x_i‖²
  const Real* y2 = nullptr;       ///< ‖y_i‖² = α_i²‖x_i‖²
  const Real* cy = nullptr;       ///< c·y_i
  const Real* visible = nullptr;  ///< 1 for a token, 0 for padding
  const Real* outside = nullptr;  ///< 1 for a non-selected token, 0 otherwise
  const Real* rank = nullptr;     ///< how many tokens come before it, or any larger number where that is never selected
  const Real* sx = nullptr;       ///< s·x_i
};

/// A squared norm below this share of the sizes of its terms has lost too much to cancellation and is taken from the
/// vectors instead. In double precision half of (8ε)/share = 4.4e-11 relative is the worst that remains in a term kept;
/// in single precision a term kept is off by at most 8e-6 of the longer of the two vectors it is the difference of.
template <class Real>
inline constexpr double cancellation_share_of = sizeof(Real) == sizeof(double) ? 1e-5 : 1.0 / 1024;
inline constexpr double cancellation_share = cancellation_share_of<double>;

/// A sum, and whether one of its squared norms fell under `cancellation_share` and must be taken directly.
struct Sum {
  double value = 0;
  bool cancelled = false;
};

/// Σ over the non-selected of |mass − α_i|, and of α_i.
struct OutsideMass {
  double deficit = 0;
  double weight = 0;
};

/// The smallest u_i over the non-selected and the first token with it.
struct Nearest {
  double u = 0;
  std::size_t token = 0;
};

/// m_i² = constant − cross·c·y_i + square·‖y_i‖². E₀: p²‖c‖², 2p(1+p), (1+p)²; E₁: the same at p = 1.
struct ExpectedTerms {
  double constant = 0;
  double cross = 0;
  double square = 0;

  static ExpectedTerms at(double p, double c2) { return {p * p * c2, 2 * p * (1 + p), (1 + p) * (1 + p)}; }
};

/// The sums over the tokens of a row, in one precision; each is an array sweep bound by its square roots.
template <class Real>
struct RowKernels {
  /// sx_i += a·gram_i; `gram` may end before the padding does only if its storage goes on.
  void (*add_scaled)(double a, const Real* gram, Real* sx, std::size_t padded);

  /// far_i = max(far_i, norm2_j − 2 gram_i): the largest ‖x_i−x_j‖² − ‖x_i‖² over the selected j so far.
  void (*widen)(double norm2_j, const Real* gram, Real* far, std::size_t padded);

  /// Σ over the non-selected of sqrt(s2 − 2α_i s·x_i + ‖y_i‖²): D.
  Sum (*distance_sum)(const RowArrays<Real>& row, double s2);

  /// Σ over the visible of sqrt(m_i²).
  Sum (*expected_sum)(const RowArrays<Real>& row, const ExpectedTerms& terms);

  /// Σ over the visible of sqrt(m_i² + factor·spread_i).
  Sum (*expected_upper_sum)(const RowArrays<Real>& row, const ExpectedTerms& terms, double factor, const Real* spread);

  /// Σ over the non-selected of α_i·sqrt(‖x_i‖² − 2 s·x_i/mass + s2/mass²): Σ α_i‖x_i−x̄‖.
  Sum (*spread_sum)(const RowArrays<Real>& row, double s2, double mass);

  OutsideMass (*outside_mass)(const RowArrays<Real>& row, double mass);

  /// u_i = α_i(α_i‖x_i‖² − 2 s·x_i) for every token.
  Nearest (*separation)(const RowArrays<Real>& row, Real* u);

  /// max over the non-selected of norm2_i + far_i.
  double (*farthest)(const RowArrays<Real>& row, const Real* far);
};

/// For the vector instructions of this machine. Real is float or double.
template <class Real>
[[nodiscard]] const RowKernels<Real>& row_kernels();

/// Σ x_i², x padded to `lane_group`.
double square_sum(const double* x, std::size_t padded);

/// y_i += a·x_i.
void add_scaled(double a, const double* x, double* y, std::size_t padded);

/// −Σ α log α over positive weights, natural logarithm.
double entropy(const double* weights, std::size_t padded);

/// What the bounds of Theorem 2 need of the ξ_i of the selected.
struct XiSums {
  double xi = 0;            ///< Σ ξ_i
  double upper = 0;         ///< Σ exp(−max(0, ξ_i − r)²/(2M²)), 1 for M = 0
  std::size_t certain = 0;  ///< how many ξ_i < r, by more than rounding
};

/// @param xi2 ξ_i², negative by rounding at most; `padded` readable, `count` of them meant
XiSums xi_sums(const double* xi2, std::size_t count, std::size_t padded, double radius, double m2);

}  // namespace headroom::verify
