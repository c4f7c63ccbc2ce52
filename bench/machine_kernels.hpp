#pragma once

#include <cstddef>

/// Loops that are bound by one thing, on the best instruction set of the processor. Sums are returned so that no loop
/// is left out; sizes are multiples of 128.
namespace headroom::bench {

/// `count` fused multiply-adds on registers.
double fma_loop(double start, std::size_t count);
float fma_loop(float start, std::size_t count);

/// Σ 1/x, Σ √x, Σ exp x
double inverse_sum(const double* x, std::size_t count);
double sqrt_sum(const double* x, std::size_t count);
float sqrt_sum(const float* x, std::size_t count);
double exp_sum(const double* x, std::size_t count);
float exp_sum(const float* x, std::size_t count);

/// Copies whole vectors; `past_caches` writes around them, which spares the memory a read of what is overwritten.
void copy(const double* from, double* to, std::size_t count, bool past_caches);

}  // namespace headroom::bench
