#include "verify/embeddings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "verify/pair_kernels.hpp"
#include "verify/product.hpp"
#include "verify/row_kernels.hpp"
#include "verify/vector_ops.hpp"

namespace headroom::verify {

namespace {

// Rows of G made at once.
constexpr std::size_t strip_height = 64;
// Threads are worth waking from this many numbers on.
constexpr std::size_t large = 1U << 15U;

}  // namespace

Embeddings::Embeddings(MatrixView<const double> vectors, Options options)
    : tokens_(vectors.rows),
      dim_(vectors.cols),
      stride_(padded_size<double>(dim_)),
      options_(options),
      x_(tokens_ * stride_),
      norm2_(tokens_) {
  load(vectors);
  for (const double norm2 : norm2_) largest_norm_ = std::max(largest_norm_, std::sqrt(norm2));
  const MatrixView<const double> x{x_.data(), tokens_, dim_, stride_};
  full_.xt = PackedMatrix<double>::of_transposed(x);
  if (options.gram || options.spacing) compare_pairs();
  if (options.precision == Precision::single) {
    single_.x = PackedMatrix<float>::of(x);
    single_.xt = PackedMatrix<float>::of_transposed(x);
    full_ = {};
  } else {
    full_.x = PackedMatrix<double>::of(x);
  }
}

void Embeddings::load(MatrixView<const double> vectors) {
  const auto count = static_cast<std::ptrdiff_t>(tokens_);
  std::ptrdiff_t zero = count;
#pragma omp parallel for reduction(min : zero) if (x_.size() > large)
  for (std::ptrdiff_t at = 0; at < count; ++at) {
    const auto i = static_cast<std::size_t>(at);
    double* const x = x_.data() + i * stride_;
    std::copy_n(vectors.row_data(i), dim_, x);
    std::fill(x + dim_, x + stride_, 0.0);
    if (options_.normalize && !scale_to_unit({x, dim_})) zero = std::min(zero, at);
    norm2_[i] = dot(vector(i), vector(i));
  }
  if (zero == count) return;
  throw_input("the vector has length 0 and cannot be scaled to unit length", "token " + std::to_string(zero),
              "leave out --normalize, or mask the token");
}

// False for a vector of length 0.
bool Embeddings::scale_to_unit(std::span<double> x) {
  // Scaling by the largest component first keeps the squares of very long or very short vectors in range.
  double largest = 0;
  for (double component : x) largest = std::max(largest, std::abs(component));
  if (!(largest > 0)) return false;
  for (double& component : x) component /= largest;
  const double length = std::sqrt(dot(x, x));
  for (double& component : x) component /= length;
  return true;
}

// G, the farthest of the others from every token and the smallest distance of all, strip by strip, while its inner
// products are at hand. They are made in double precision always and rounded where G is kept in single.
void Embeddings::compare_pairs() {
  const bool gram = options_.gram;
  const bool single = options_.precision == Precision::single;
  if (gram) {
    reach2_.resize(tokens_);
    if (single) {
      single_.gram = PageArray<float>(tokens_ * gram_stride());
    } else {
      full_.gram = PageArray<double>(tokens_ * gram_stride());
    }
  }
  const auto strips = static_cast<std::ptrdiff_t>((tokens_ + strip_height - 1) / strip_height);
  double least = std::numeric_limits<double>::infinity();
#pragma omp parallel reduction(min : least) if (tokens_ > strip_height)
  {
    std::vector<double> memory;
    // Without G each strip is as long as it is far down: the long ones first.
#pragma omp for schedule(dynamic)
    for (std::ptrdiff_t s = strips - 1; s >= 0; --s) {
      const std::size_t first = static_cast<std::size_t>(s) * strip_height;
      const std::size_t count = std::min(strip_height, tokens_ - first);
      const std::size_t columns = gram ? tokens_ : first + count;
      MatrixView<double> inner;
      if (gram && !single) {
        inner = {full_.gram.data() + first * gram_stride(), count, columns, gram_stride()};
      } else {
        memory.resize(count * columns);
        inner = {memory.data(), count, columns};
      }
      product(MatrixView<const double>{x_.data() + first * stride_, count, dim_, stride_}, full_.xt, inner);
      for (std::size_t r = 0; r < count; ++r) {
        const std::size_t i = first + r;
        const std::span<const double> row = inner.row(r);
        if (options_.spacing) least = std::min(least, nearest_before(i, row));
        if (!gram) continue;
        reach2_[i] = norm2_[i] + farthest_excess(row.data(), norm2_.data(), tokens_);
        if (single) {
          keep_row(row, single_.gram.data() + i * gram_stride());
        } else {
          std::fill_n(inner.row_data(r) + tokens_, gram_slack, 0.0);
        }
      }
    }
  }
  if (options_.spacing && tokens_ > 1) spacing_ = std::sqrt(least);
}

void Embeddings::keep_row(std::span<const double> row, float* out) {
  std::transform(row.begin(), row.end(), out, [](double value) { return static_cast<float>(value); });
  std::fill_n(out + row.size(), gram_slack, 0.0F);
}

// The smallest ‖x_i−x_j‖² over j < i, from the inner products with x_i.
double Embeddings::nearest_before(std::size_t i, std::span<const double> inner) const {
  const NearestPair all = nearest_square(inner.data(), norm2_.data(), norm2_[i], i);
  if (!all.cancelled) return all.square;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < i; ++j) {
    const double sizes = norm2_[i] + norm2_[j];
    const double square = sizes - 2 * inner[j];
    least = std::min(least, square < cancellation_share * sizes ? distance2(vector(i), vector(j)) : square);
  }
  return least;
}

}  // namespace headroom::verify
