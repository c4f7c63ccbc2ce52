#include "verify/embeddings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "verify/product.hpp"
#include "verify/row_kernels.hpp"
#include "verify/vector_ops.hpp"

namespace headroom::verify {

Embeddings::Embeddings(MatrixView<const double> vectors, Options options)
    : tokens_(vectors.rows),
      dim_(vectors.cols),
      stride_((dim_ + lane_group - 1) / lane_group * lane_group),
      x_(tokens_ * stride_),
      xt_(tokens_ * dim_),
      norm2_(tokens_) {
  for (std::size_t i = 0; i < tokens_; ++i) std::copy_n(vectors.row_data(i), dim_, x_.data() + i * stride_);
  if (options.normalize) normalize();
  for (std::size_t i = 0; i < tokens_; ++i) {
    for (std::size_t k = 0; k < dim_; ++k) xt_[k * tokens_ + i] = x_[i * stride_ + k];
    norm2_[i] = dot(vector(i), vector(i));
    largest_norm_ = std::max(largest_norm_, std::sqrt(norm2_[i]));
  }
  if (options.gram) {
    gram_.assign(tokens_ * gram_stride(), 0.0);
    const auto rows = static_cast<std::ptrdiff_t>(tokens_);
    constexpr std::ptrdiff_t block = 64;
#pragma omp parallel for schedule(dynamic)
    for (std::ptrdiff_t first = 0; first < rows; first += block) {
      const auto at = static_cast<std::size_t>(first);
      const auto count = static_cast<std::size_t>(std::min(block, rows - first));
      product({x_.data() + at * stride_, count, dim_, stride_}, transposed(),
              {gram_.data() + at * gram_stride(), count, tokens_, gram_stride()});
    }
  }
  if (options.spacing) find_spacing();
  if (options.gram && options.far) list_farthest();
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
  return square < cancellation_share * sizes ? verify::distance2(vector(i), vector(j)) : square;
}

double Embeddings::distance2(std::size_t i, std::size_t j) const { return square_from(gram_row(i)[j], i, j); }

void Embeddings::list_farthest() {
  const std::size_t listed = std::min(tokens_, far_listed);
  far_.resize(tokens_ * listed);
#pragma omp parallel
  {
    std::vector<double> square(tokens_);
    std::vector<std::uint32_t> order(tokens_);
#pragma omp for schedule(static)
    for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(tokens_); ++t) {
      const auto i = static_cast<std::size_t>(t);
      for (std::size_t j = 0; j < tokens_; ++j) square[j] = distance2(i, j);
      std::iota(order.begin(), order.end(), 0U);
      const auto farther = [&](std::uint32_t a, std::uint32_t b) {
        return square[a] > square[b] || (square[a] == square[b] && a < b);
      };
      std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(listed), order.end(), farther);
      std::copy_n(order.begin(), listed, far_.data() + i * listed);
    }
  }
}

void Embeddings::find_spacing() {
  if (tokens_ < 2) return;
  constexpr std::size_t block = 64;
  const auto blocks = static_cast<std::ptrdiff_t>((tokens_ + block - 1) / block);
  double least = std::numeric_limits<double>::infinity();
#pragma omp parallel for schedule(dynamic) reduction(min : least)
  for (std::ptrdiff_t b = 0; b < blocks; ++b) {
    const std::size_t first = static_cast<std::size_t>(b) * block;
    const std::size_t count = std::min(block, tokens_ - first);
    std::vector<double> inner;
    if (!has_gram()) {
      inner.resize(count * tokens_);
      product({x_.data() + first * stride_, count, dim_, stride_}, transposed(), {inner.data(), count, tokens_});
    }
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t i = first + r;
      const double* row = has_gram() ? gram_row(i) : inner.data() + r * tokens_;
      for (std::size_t j = i + 1; j < tokens_; ++j) {
        least = std::min(least, square_from(row[j], i, j));
      }
    }
  }
  spacing_ = std::sqrt(least);
}

}  // namespace headroom::verify
