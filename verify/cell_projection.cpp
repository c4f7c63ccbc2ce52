#include "verify/cell_projection.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/hash.hpp"
#include "sim/random.hpp"
#include "sim/random_kernels.hpp"
#include "verify/cell_kernels.hpp"
#include "verify/vector_ops.hpp"

namespace headroom::verify {

CellProjection::CellProjection(const Cell& cell) : s_(cell.parameters().dim) {
  const std::size_t padded = padded_size<double>(cell.parameters().length);
  sx_.resize(padded);
  for (const Plan::Request& request : cell.plan().requests()) {
    hashes_.push_back(sim::hash64(cell.canonical() + ";top=" + std::to_string(request.top)));
  }
}

QuantitySet CellProjection::supported() {
  QuantitySet set = CellRow::supported();
  set.erase(Quantity::expected);
  set.erase(Quantity::expected_full);
  return set;
}

CellRow::Products CellProjection::draw(std::uint64_t seed, std::uint64_t trial, std::size_t request,
                                       std::span<const std::uint32_t> selected, const double* alpha) {
  const std::size_t dim = s_.size();
  sim::Stream stream(seed, hashes_[request], trial);
  const std::size_t coordinates = selected.size() * dim;
  vectors_.resize(coordinates);
  normals_.resize(std::max(coordinates, 2 * sx_.size()));
  stream.normals(std::span<float>(normals_).first(coordinates));
  std::copy_n(normals_.begin(), coordinates, vectors_.begin());
  sim::kernels::normalize_rows(vectors_.data(), selected.size(), dim, dim);
  std::fill(s_.begin(), s_.end(), 0.0);
  for (std::size_t rank = 0; rank < selected.size(); ++rank) {
    const double* const x = vectors_.data() + rank * dim;
    const double a = alpha[selected[rank]];
    for (std::size_t k = 0; k < dim; ++k) s_[k] += a * x[k];
  }
  const double s2 = dot(s_, s_);
  // Every token gets a product drawn; the selected ones' are then put right.
  stream.normals(std::span<float>(normals_).first(2 * sx_.size()));
  sphere_coordinates(normals_.data(), normals_.data() + sx_.size(), dim, std::sqrt(s2), sx_.size(), sx_.data());
  for (std::size_t rank = 0; rank < selected.size(); ++rank) {
    sx_[selected[rank]] = dot({vectors_.data() + rank * dim, dim}, s_);
  }
  return {s2, sx_.data(), true};
}

}  // namespace headroom::verify
