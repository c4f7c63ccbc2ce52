#pragma once

#include <cstddef>

#include "core/matrix_view.hpp"

namespace headroom::model {

/// out(i, j) = queries(i) · keys(j) in float64, one thread; widened before the first multiplication, so each product
/// of components is exact and the sum alone is rounded. `out.cols` keys at most are read.
void inner_products(MatrixView<const float> queries, MatrixView<const float> keys, MatrixView<double> out);

/// Replaces x[0..n) by exp(x[i] − max x) / Σ exp(x[j] − max x), one thread; −∞ gives exactly 0. At least one element
/// must be finite.
void softmax(double* x, std::size_t n);

}  // namespace headroom::model
