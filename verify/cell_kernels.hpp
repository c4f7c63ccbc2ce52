#pragma once

#include <cstddef>

namespace headroom::verify {

// Kernels of the Monte-Carlo cell. Coordinates stand in blocks of tokens, a block's as (d × width): what is summed over
// coordinates needs no sum across lanes. `width` is a multiple of `lane_group` (row_kernels.hpp). Sums over tokens run
// in its logical lanes, so the bytes are the same for AVX2 and AVX-512. Coordinates may be float32; everything made of
// them is float64.

/// The least and the largest of `count` numbers, none a NaN; `count` is a multiple of `lane_group`, at least one.
struct Range {
  double least = 0;
  double largest = 0;
};
Range range_of(const double* values, std::size_t count);

/// inverse_j = 1/‖g_j‖.
void inverse_norms(const double* g, std::size_t dim, std::size_t width, double* inverse);
void inverse_norms(const float* g, std::size_t dim, std::size_t width, double* inverse);

/// c_k += Σ_j weight_j·g_kj.
void add_context(const double* g, std::size_t dim, std::size_t width, const double* weight, double* c);
void add_context(const float* g, std::size_t dim, std::size_t width, const double* weight, double* c);

/// first_out_j = inverse_j·Σ_k first_k·g_kj, and the same for a second direction in one go unless it is null.
void project(const double* g, std::size_t dim, std::size_t width, const double* inverse, const double* first,
             double* first_out, const double* second, double* second_out);
void project(const float* g, std::size_t dim, std::size_t width, const double* inverse, const double* first,
             double* first_out, const double* second, double* second_out);

/// Coordinates u of uniform points on the sphere of R^d, each from a pair of normals: with ρ² = z₁² + z₂²,
/// u = z₁·sqrt((1 − exp(−ρ²/(d−2)))/ρ²), z₁/ρ for d = 2. For (z₁, z₂)/ρ is a uniform direction independent of ρ, and
/// 1 − exp(−ρ²/(d−2)) has the law of the squared length of two coordinates, Beta(1, (d−2)/2). Requires d >= 2.
/// out_j = scale·u_j; `count` is a multiple of `lane_group`.
void sphere_coordinates(const float* first, const float* second, std::size_t dim, double scale, std::size_t count,
                        double* out);

}  // namespace headroom::verify
