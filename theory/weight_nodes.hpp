#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace headroom::theory {

/// A short weighted list that stands for a long one: Σ_k count_k·f(value_k) in place of Σ_j f(α_j) for smooth f.
/// Fixed capacity, so that building one allocates nothing.
struct WeightNodes {
  static constexpr std::size_t capacity = 1024;

  std::size_t size = 0;
  std::array<double, capacity> value;
  std::array<double, capacity> count;

  void add(double node, double times) {
    value[size] = node;
    count[size] = times;
    ++size;
  }
};

/// Merges neighbours of a decreasing list of positive weights, multiplied by `scale` first. A group spans a factor
/// e^w, w = width·(α_first/α)^growth at most 2: growth > 0 where what lies far below the first weight needs less care.
/// Groups of three and more become the two-point Gauss rule with their moments 0 to 3, so that the error is O(w⁴).
void merge_weights(std::span<const double> decreasing, double scale, double width, double growth, WeightNodes& nodes);

}  // namespace headroom::theory
