#pragma once

#include <cstddef>

#include "core/matrix_view.hpp"
#include "core/page_array.hpp"

namespace headroom::verify {

/// B laid out for many products with few rows each, as the kernels of this machine read it.
template <class Real>
class PackedMatrix {
 public:
  PackedMatrix() = default;

  /// B, and Bᵀ, rounded to Real. In parallel where they are large.
  [[nodiscard]] static PackedMatrix of(MatrixView<const double> b);
  [[nodiscard]] static PackedMatrix of_transposed(MatrixView<const double> b);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t cols() const { return cols_; }

  /// Panel number `at`, of `width` columns, row after row; the last is filled up with zeros.
  [[nodiscard]] const Real* panel(std::size_t at) const { return data_.data() + at * rows_ * width_; }
  [[nodiscard]] std::size_t width() const { return width_; }

 private:
  PackedMatrix(std::size_t rows, std::size_t cols);
  template <class Fill>
  void fill_panels(Fill fill);

  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t width_ = 0;
  PageArray<Real> data_;
};

/// C = A·B with the first a.cols rows and the first c.cols columns of B, (m × k)·(k × n), one thread. Every entry is
/// the fused sum over the inner index in increasing order, so it depends on its own row and column alone: equal rows
/// give equal bytes wherever they stand, XXᵀ is exactly symmetric, and AVX2 and AVX-512 agree to the bit. Those are the
/// reasons not to take a library's product here: ties must stay ties. |C − exact| ≤ k·ε·|A|·|B|, ε = 2⁻⁵³, or 2⁻²⁴ in
/// single precision.
void product(MatrixView<const double> a, const PackedMatrix<double>& b, MatrixView<double> c);
void product(MatrixView<const float> a, const PackedMatrix<float>& b, MatrixView<float> c);

}  // namespace headroom::verify
