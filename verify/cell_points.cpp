#include "verify/cell_points.hpp"

#include <algorithm>

#include "verify/cell_kernels.hpp"
#include "verify/row_kernels.hpp"

namespace headroom::verify {

CellPoints::CellPoints(std::size_t tokens, std::size_t dim)
    : tokens_(tokens),
      padded_((tokens + lane_group - 1) / lane_group * lane_group),
      dim_(dim),
      normals_(padded_ * dim),
      inverse_(padded_),
      scaled_(std::min(padded_, block_)) {}

CellPoints::Block CellPoints::block(std::size_t token) const {
  const std::size_t first = token / block_ * block_;
  return {first, std::min(block_, padded_ - first)};
}

void CellPoints::draw(sim::Stream& stream, const double* alpha, std::span<double> c) {
  std::fill(c.begin(), c.end(), 0.0);
  for (std::size_t first = 0; first < padded_; first += block_) {
    const std::size_t width = block(first).width;
    double* const g = normals_.data() + first * dim_;
    double* const inverse = inverse_.data() + first;
    stream.normals(std::span<double>(g, width * dim_));
    inverse_norms(g, dim_, width, inverse);
    for (std::size_t j = 0; j < width; ++j) scaled_[j] = alpha[first + j] * inverse[j];
    add_context(g, dim_, width, scaled_.data(), c.data());
  }
}

void CellPoints::add(std::size_t token, double alpha, std::span<double> sum) const {
  const Block at = block(token);
  const double scale = alpha * inverse_[token];
  const double* g = normals_.data() + at.first * dim_ + (token - at.first);
  for (std::size_t k = 0; k < dim_; ++k) sum[k] += scale * g[k * at.width];
}

void CellPoints::project(std::span<const double> first, double* first_out, std::span<const double> second,
                         double* second_out) const {
  for (std::size_t begin = 0; begin < padded_; begin += block_) {
    const std::size_t width = block(begin).width;
    const double* const g = normals_.data() + begin * dim_;
    const double* const inverse = inverse_.data() + begin;
    if (second.empty()) {
      verify::project(g, dim_, width, inverse, first.data(), first_out + begin);
    } else {
      verify::project(g, dim_, width, inverse, first.data(), second.data(), first_out + begin, second_out + begin);
    }
  }
}

void CellPoints::copy_to(MatrixView<double> points) const {
  for (std::size_t token = 0; token < tokens_; ++token) {
    const Block at = block(token);
    const double* g = normals_.data() + at.first * dim_ + (token - at.first);
    for (std::size_t k = 0; k < dim_; ++k) points(token, k) = g[k * at.width] * inverse_[token];
  }
}

}  // namespace headroom::verify
