#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "verify/cell.hpp"
#include "verify/cell_row.hpp"

namespace headroom::verify {

/// The `projected` sampler: of independent uniform vectors it draws only the selected N, and of the others what their
/// distances to s need. For given the selected vectors, hence s, the products s·x_j of the others are independent, each
/// ‖s‖ times a coordinate of a uniform point (docs/derivations.md, the resolution law). So every quantity of s and the
/// s·x_i has the law it has under `uniform`. Those of c = Σ y_j do not come out of it: c·x_j depends on all vectors.
/// The coordinates are made from float32 normals, as CellPoints may be.
class CellProjection {
 public:
  explicit CellProjection(const Cell& cell);

  /// Quantities that have their law under this sampler.
  static QuantitySet supported();

  /// Draws the products at the N of `request`, whose tokens `selected` have the scaled weights alpha[token]. N has a
  /// stream of its own, so that what is drawn at one does not depend on the others asked for.
  CellRow::Products draw(std::uint64_t seed, std::uint64_t trial, std::size_t request,
                         std::span<const std::uint32_t> selected, const double* alpha);

 private:
  std::vector<std::uint64_t> hashes_;  // one stream per N
  std::vector<float> normals_;
  std::vector<double> vectors_, s_, sx_;
};

}  // namespace headroom::verify
