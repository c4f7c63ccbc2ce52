#include "verify/cell_points.hpp"

#include <algorithm>

#include "verify/cell_kernels.hpp"
#include "verify/row_kernels.hpp"

namespace headroom::verify {

CellPoints::CellPoints(std::size_t tokens, std::size_t dim, Precision precision)
    : tokens_(tokens),
      padded_(padded_size<double>(tokens)),
      dim_(dim),
      precision_(precision),
      singles_(precision == Precision::float32 ? padded_ * dim : 0),
      doubles_(precision == Precision::float64 ? padded_ * dim : 0),
      inverse_(padded_),
      scaled_(std::min(padded_, block_)) {}

CellPoints::Block CellPoints::block(std::size_t token) const {
  const std::size_t first = token / block_ * block_;
  return {first, std::min(block_, padded_ - first)};
}

template <class T>
void CellPoints::draw_block(std::vector<T>& normals, std::size_t first, sim::Stream& stream, const double* alpha,
                            double* c) {
  const std::size_t width = block(first).width;
  T* const g = normals.data() + first * dim_;
  double* const inverse = inverse_.data() + first;
  stream.normals(std::span<T>(g, width * dim_));
  inverse_norms(g, dim_, width, inverse);
  for (std::size_t j = 0; j < width; ++j) scaled_[j] = alpha[first + j] * inverse[j];
  add_context(g, dim_, width, scaled_.data(), c);
}

void CellPoints::draw(sim::Stream& stream, const double* alpha, std::span<double> c) {
  std::fill(c.begin(), c.end(), 0.0);
  for (std::size_t first = 0; first < padded_; first += block_) {
    if (precision_ == Precision::float32) {
      draw_block(singles_, first, stream, alpha, c.data());
    } else {
      draw_block(doubles_, first, stream, alpha, c.data());
    }
  }
}

void CellPoints::add(std::size_t token, double alpha, std::span<double> sum) const {
  const Block at = block(token);
  const double scale = alpha * inverse_[token];
  with_block(at.first, [&](const auto* g) {
    for (std::size_t k = 0; k < dim_; ++k) sum[k] += scale * static_cast<double>(g[k * at.width + token - at.first]);
  });
}

void CellPoints::project(std::span<const double> first, double* first_out, std::span<const double> second,
                         double* second_out) const {
  const double* const other = second.empty() ? nullptr : second.data();
  for (std::size_t begin = 0; begin < padded_; begin += block_) {
    double* const other_out = other == nullptr ? nullptr : second_out + begin;
    with_block(begin, [&](const auto* g) {
      verify::project(g, dim_, block(begin).width, inverse_.data() + begin, first.data(), first_out + begin, other,
                      other_out);
    });
  }
}

void CellPoints::copy_to(MatrixView<double> points) const {
  for (std::size_t token = 0; token < tokens_; ++token) {
    const Block at = block(token);
    with_block(at.first, [&](const auto* g) {
      for (std::size_t k = 0; k < dim_; ++k) {
        points(token, k) = static_cast<double>(g[k * at.width + token - at.first]) * inverse_[token];
      }
    });
  }
}

}  // namespace headroom::verify
