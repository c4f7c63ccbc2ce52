#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace headroom::sim {

/// out ← A·in or Aᵀ·in.
using LinearMap = std::function<void(std::span<const double> in, std::span<double> out)>;

/// Largest singular value of an n × n matrix known by its products, by Golub–Kahan bidiagonalization with full
/// reorthogonalization (Golub and Kahan 1965): O(n·k) per product after k products, k growing until the value changes
/// by less than 10⁻¹³ of itself twice running, at most n. Starts from a fixed pseudo-random vector, so equal inputs
/// give equal bytes.
[[nodiscard]] double largest_singular_value(std::size_t n, const LinearMap& multiply,
                                            const LinearMap& multiply_transposed);

}  // namespace headroom::sim
