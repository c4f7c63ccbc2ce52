#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom::app {

/// The grids of the paper's figures (arXiv 2508.17821, Algorithms 1–5), all settable. Lengths and N are ascending.
struct Grids {
  std::vector<std::size_t> lengths = {32, 64, 128, 256, 512, 1024};  ///< L of Figures 2a and 2c
  std::size_t distance_top = 5;                                      ///< N of Figure 2a
  std::vector<std::size_t> distance_tops = {1, 5, 10, 20, 100};      ///< N of Figure 2b
  std::size_t critical_dense = 100;  ///< Figure 2c: every N up to this, then 128, 256 … L/2
  double critical_level = 0.01;      ///< significance level of the KS test
  std::vector<std::size_t> separable_tops = {1, 2, 4, 8, 16, 32, 64, 128, 256};  ///< N of Figure 3
  std::vector<double> temperatures;                   ///< T of Figure 4; default: 16 values, 10⁻³ … 10²
  std::vector<double> epsilons = {1e-3, 1e-1, 10.0};  ///< ε of Figure 4
  std::uint64_t seed = 1;                             ///< of Figure 4's random directions

  Grids();

  /// Cuts the lengths to `length`, which becomes the last of them.
  void limit(std::size_t length);

  /// N of Figure 2c at context length L: every N < min(L, critical_dense+1), then 128, 256, … up to L/2.
  [[nodiscard]] std::vector<std::size_t> critical_tops(std::size_t length) const;

  /// N of heads.csv: those of Figures 2a, 2b and 3.
  [[nodiscard]] std::vector<std::size_t> figure_tops() const;
};

/// Which figures to make; what a figure alone needs is left out with it.
struct FigureChoice {
  bool distance_over_length = true;  ///< 2a
  bool distance_over_top = true;     ///< 2b
  bool critical = true;              ///< 2c
  bool separable = true;             ///< 3
  bool sensitivity = true;           ///< 4
};

}  // namespace headroom::app
