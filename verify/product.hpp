#pragma once

#include "core/matrix_view.hpp"

namespace headroom::verify {

/// C = A·B, (m × k)·(k × n), one thread. Every entry is the fused sum over the inner index in increasing order, so it
/// depends on its own row and column alone: equal rows give equal bytes wherever they stand, XXᵀ is exactly symmetric,
/// and AVX2 and AVX-512 agree to the bit. Those are the reasons not to take a library's product here: ties must stay
/// ties. |C − exact| ≤ k·ε·|A|·|B|, ε = 2⁻⁵³, or 2⁻²⁴ in single precision.
void product(MatrixView<const double> a, MatrixView<const double> b, MatrixView<double> c);
void product(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> c);

}  // namespace headroom::verify
