#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/activations.hpp"
#include "verify/statistics/moments.hpp"

namespace headroom::app {

/// What is measured of the heads of a window, as `compare` has it.
struct WindowQuestion {
  std::string normalizer = "softmax";
  std::vector<std::size_t> tops;
  std::string match = "none";  ///< none, entropy or max-weight
  double temperature = 1;      ///< where none is fitted
  std::string vectors = "embedding";
  bool normalize = true;
};

/// The question with the normalizer in one spelling. Throws usage errors: names that there are not with the nearest
/// right one, N and a temperature out of range, and what cannot be matched.
[[nodiscard]] WindowQuestion checked(WindowQuestion question, std::size_t length);

/// The names of what is measured: the fitted temperature, then what `compare` writes.
[[nodiscard]] const std::vector<std::string>& window_quantities();

/// Per N, the moments over all heads of each of these; heads for which one is not defined are left out. Throws as
/// compare_heads.
[[nodiscard]] std::vector<std::vector<verify::Moments>> window_means(const model::Activations& activations,
                                                                     const WindowQuestion& question);

}  // namespace headroom::app
