#pragma once

#include <cstddef>
#include <span>

namespace headroom::theory {

// The sums of jacobian_norm.cpp over every weight but one, dispatched to the vector instructions of this machine. Each
// runs over eight logical lanes, which are then added in a fixed order: the same bytes for every width of vectors that
// have fused multiply-add.

struct TopTwo {
  double largest = 0;
  double second = 0;
};
[[nodiscard]] TopTwo top_two(std::span<const double> weights);

/// Three sums over every weight but `skip`.
struct Sums {
  double first = 0;
  double second = 0;
  double third = 0;
};

/// Σw, Σw², Σw³.
[[nodiscard]] Sums power_sums(std::span<const double> weights, std::size_t skip);

/// Σ w²/(λ−w), Σ w²/(λ−w)², Σ w²/(λ−w)³: ψ(λ) and, but for sign and factor, its first two derivatives. No w but the
/// skipped one may equal λ.
[[nodiscard]] Sums pole_sums(std::span<const double> weights, std::size_t skip, double lambda);

/// vector_i = w_i/(w_i−λ) for all weights; returns the largest |vector_i|, infinite when a weight equals λ.
double resolvent(std::span<const double> weights, double lambda, std::span<double> vector);

/// Scales the vector by `factor`, then to length 1.
void normalize(double factor, std::span<double> vector);

}  // namespace headroom::theory
