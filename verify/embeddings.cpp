#include "verify/embeddings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "verify/product.hpp"
#include "verify/row_kernels.hpp"
#include "verify/vector_ops.hpp"

namespace headroom::verify {

Embeddings::Embeddings(MatrixView<const double> vectors, Options options)
    : tokens_(vectors.rows),
      dim_(vectors.cols),
      stride_(padded_size<double>(dim_)),
      options_(options),
      norm2_(tokens_) {
  x_.resize(tokens_ * stride_);
  for (std::size_t i = 0; i < tokens_; ++i) std::copy_n(vectors.row_data(i), dim_, x_.data() + i * stride_);
  if (options.normalize) normalize();
  for (std::size_t i = 0; i < tokens_; ++i) {
    norm2_[i] = dot(vector(i), vector(i));
    largest_norm_ = std::max(largest_norm_, std::sqrt(norm2_[i]));
  }
  pack(full_);
  if (options.gram) fill_gram();
  if (options.spacing) find_spacing();
  if (options.precision == Precision::single) {
    pack(single_);
    full_ = {};
  }
}

template <class Real>
void Embeddings::pack(Arrays<Real>& arrays) const {
  std::vector<Real> x(tokens_ * dim_);
  std::vector<Real> xt(tokens_ * dim_);
  for (std::size_t i = 0; i < tokens_; ++i) {
    for (std::size_t k = 0; k < dim_; ++k) {
      x[i * dim_ + k] = xt[k * tokens_ + i] = static_cast<Real>(x_[i * stride_ + k]);
    }
  }
  arrays.x = PackedMatrix<Real>({x.data(), tokens_, dim_});
  arrays.xt = PackedMatrix<Real>({xt.data(), dim_, tokens_});
}

// G is made in double precision always and rounded row by row where it is kept in single.
void Embeddings::fill_gram() {
  const bool single = options_.precision == Precision::single;
  reach2_.resize(tokens_);
  if (single) {
    single_.gram.assign(tokens_ * gram_stride(), 0.0F);
  } else {
    full_.gram.assign(tokens_ * gram_stride(), 0.0);
  }
  const auto rows = static_cast<std::ptrdiff_t>(tokens_);
  constexpr std::ptrdiff_t block = 64;
#pragma omp parallel
  {
    std::vector<double> strip;
#pragma omp for schedule(dynamic)
    for (std::ptrdiff_t first = 0; first < rows; first += block) {
      const auto at = static_cast<std::size_t>(first);
      const auto count = static_cast<std::size_t>(std::min(block, rows - first));
      const MatrixView<const double> some{x_.data() + at * stride_, count, dim_, stride_};
      strip.resize(count * tokens_);
      product(some, transposed<double>(), {strip.data(), count, tokens_});
      for (std::size_t r = 0; r < count; ++r) {
        const std::span<const double> inner{strip.data() + r * tokens_, tokens_};
        reach2_[at + r] = farthest(inner, norm2_[at + r]);
        if (single) {
          std::transform(inner.begin(), inner.end(), single_.gram.data() + (at + r) * gram_stride(),
                         [](double value) { return static_cast<float>(value); });
        } else {
          std::copy(inner.begin(), inner.end(), full_.gram.data() + (at + r) * gram_stride());
        }
      }
    }
  }
}

// The largest ‖x_i−x_j‖² over i, from a row of inner products with x_j.
double Embeddings::farthest(std::span<const double> inner, double norm2) const {
  double most = 0;
  for (std::size_t i = 0; i < tokens_; ++i) most = std::max(most, norm2_[i] - 2 * inner[i]);
  return norm2 + most;
}

void Embeddings::normalize() {
  for (std::size_t i = 0; i < tokens_; ++i) {
    const std::span<double> x{x_.data() + i * stride_, dim_};
    // Scaling by the largest component first keeps the squares of very long or very short vectors in range.
    double largest = 0;
    for (double component : x) largest = std::max(largest, std::abs(component));
    if (!(largest > 0)) {
      throw_input("the vector has length 0 and cannot be scaled to unit length", "token " + std::to_string(i),
                  "leave out --normalize, or mask the token");
    }
    for (double& component : x) component /= largest;
    const double length = std::sqrt(dot(x, x));
    for (double& component : x) component /= length;
  }
}

double Embeddings::square_from(double inner, std::size_t i, std::size_t j) const {
  const double sizes = norm2_[i] + norm2_[j];
  const double square = sizes - 2 * inner;
  return square < cancellation_share * sizes ? distance2(vector(i), vector(j)) : square;
}

void Embeddings::find_spacing() {
  if (tokens_ < 2) return;
  const bool stored = has_gram() && options_.precision == Precision::full;
  constexpr std::size_t block = 64;
  const auto blocks = static_cast<std::ptrdiff_t>((tokens_ + block - 1) / block);
  double least = std::numeric_limits<double>::infinity();
#pragma omp parallel for schedule(dynamic) reduction(min : least)
  for (std::ptrdiff_t b = 0; b < blocks; ++b) {
    const std::size_t first = static_cast<std::size_t>(b) * block;
    const std::size_t count = std::min(block, tokens_ - first);
    std::vector<double> products;
    if (!stored) {
      products.resize(count * tokens_);
      product({x_.data() + first * stride_, count, dim_, stride_}, transposed<double>(),
              {products.data(), count, tokens_});
    }
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t i = first + r;
      for (std::size_t j = i + 1; j < tokens_; ++j) {
        least = std::min(least, square_from(stored ? gram_row<double>(i)[j] : products[r * tokens_ + j], i, j));
      }
    }
  }
  spacing_ = std::sqrt(least);
}

}  // namespace headroom::verify
