#pragma once

#include <cstddef>

namespace headroom::verify {

/// The per-token arrays of one row that every N shares. All are padded to a multiple of `lane_group` entries, the
/// padding with zeros, so that no kernel needs a tail.
struct RowArrays {
  std::size_t padded = 0;
  const double* alpha = nullptr;    ///< α_i
  const double* norm2 = nullptr;    ///< ‖x_i‖²
  const double* y2 = nullptr;       ///< ‖y_i‖² = α_i²‖x_i‖²
  const double* cy = nullptr;       ///< c·y_i
  const double* visible = nullptr;  ///< 1 for a token, 0 for padding
  const double* outside = nullptr;  ///< 1 for a non-selected token, 0 otherwise
  const double* sx = nullptr;       ///< s·x_i
};

/// Sums run over this many logical lanes whatever the vector width, then over the lanes in order.
inline constexpr std::size_t lane_group = 8;

/// A squared norm below this share of the sizes of its terms has lost too much to cancellation: half of
/// (8ε)/1e-5 ≈ 4.4e-11 relative is the worst that remains in a term kept.
inline constexpr double cancellation_share = 1e-5;

/// A sum, and whether one of its squared norms fell under `cancellation_share` and must be taken directly.
struct Sum {
  double value = 0;
  bool cancelled = false;
};

/// sx_i += a·gram_i; `gram` may end before the padding does only if its storage goes on.
void add_scaled(double a, const double* gram, double* sx, std::size_t padded);

/// Σ x_i².
double square_sum(const double* x, std::size_t padded);

/// far_i = max(far_i, norm2_j − 2 gram_i): the largest ‖x_i−x_j‖² − ‖x_i‖² over the selected j so far.
void widen(double norm2_j, const double* gram, double* far, std::size_t padded);

/// Σ over the non-selected of sqrt(s2 − 2α_i s·x_i + ‖y_i‖²): D.
Sum distance_sum(const RowArrays& row, double s2);

/// Σ over the visible of sqrt(constant − cross·c·y_i + square·‖y_i‖²).
/// E₀: p²‖c‖², 2p(1+p), (1+p)²; E₁: the same at p = 1.
Sum expected_sum(const RowArrays& row, double constant, double cross, double square);

/// Σ over the visible of sqrt(m_i² + factor·spread_i), m_i² as in expected_sum.
Sum expected_upper_sum(const RowArrays& row, double constant, double cross, double square, double factor,
                       const double* spread);

/// Σ over the non-selected of α_i·sqrt(‖x_i‖² − 2 s·x_i/mass + s2/mass²): Σ α_i‖x_i−x̄‖.
Sum spread_sum(const RowArrays& row, double s2, double mass);

/// Σ over the non-selected of |mass − α_i|, and of α_i.
struct OutsideMass {
  double deficit = 0;
  double weight = 0;
};
OutsideMass outside_mass(const RowArrays& row, double mass);

/// u_i = α_i(α_i‖x_i‖² − 2 s·x_i) for every token; returns the smallest over the non-selected and the first token with
/// it.
struct Nearest {
  double u = 0;
  std::size_t token = 0;
};
Nearest separation(const RowArrays& row, double* u);

/// max over the non-selected of norm2_i + far_i.
double farthest(const RowArrays& row, const double* far);

}  // namespace headroom::verify
