#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "theory/resolution_law.hpp"
#include "verify/cell.hpp"
#include "verify/cell_draw.hpp"
#include "verify/cell_projection.hpp"
#include "verify/cell_row.hpp"
#include "verify/row_pass.hpp"

namespace headroom::verify {

/// What all trials of a cell share beside the cell: the tables of the resolution law, where they are asked for.
[[nodiscard]] std::unique_ptr<const theory::ResolutionLaw> law_of(const Cell& cell);

/// Draws and measures trials of one cell. One object per thread.
class CellTrial {
 public:
  /// @param law as law_of() gives it
  CellTrial(const Cell& cell, const theory::ResolutionLaw* law);

  /// Values of one trial in the layout of the cell's plan.
  void measure(std::uint64_t seed, std::uint64_t trial, std::span<double> out);

 private:
  bool measure_products(std::span<double> out);
  void measure_projected(std::uint64_t seed, std::uint64_t trial, std::span<double> out);
  void measure_in_full(std::span<double> out);
  void measure_distances(std::span<double> out);
  void put_bounds(std::span<double> out);

  const Cell& cell_;
  const theory::ResolutionLaw* law_;
  CellDraw draw_;
  CellRow row_;
  std::optional<CellProjection> projection_;
  bool by_products_;  // every quantity is one of products with few directions
  std::vector<double> directions_, products_;
  Plan plan_;  // the cell's, with the radius where the bounds of Theorem 2 need it
  RowPass::Workspace workspace_;
  std::vector<double> values_, selected_, scratch_;
};

}  // namespace headroom::verify
