#pragma once

#include <string>
#include <vector>

#include "app/frontier/point.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// What `frontier` is asked: every normalizer at every length and weight.
struct FrontierGrid {
  std::vector<std::string> normalizers;  ///< canonical specs
  std::vector<std::size_t> lengths;      ///< n, ascending
  std::vector<double> weights;           ///< p, ascending
  double temperature = 1;
};

/// One of every family, with the published values of their keys: what is shown when none is named.
[[nodiscard]] std::vector<std::string> frontier_normalizers();

/// frontier.csv: normalizer, length, weight, margin and jacobian_norm (empty where the weight is out of reach), note.
[[nodiscard]] Table frontier_table(const FrontierGrid& grid);

/// The table as text for a terminal: a block per length, a line per normalizer.
[[nodiscard]] std::string frontier_text(const FrontierGrid& grid);

/// curves.csv: the same columns without note, along the curves that the figures draw: at the largest length over
/// weights up to 0.999, and at the middle weight over lengths 2, 4, … 2²⁰.
[[nodiscard]] Table frontier_curves(const FrontierGrid& grid);

}  // namespace headroom::app
